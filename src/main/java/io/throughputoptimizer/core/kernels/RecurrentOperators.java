package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.Basis;
import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.kernels.operator.Kernels.Priced;
import io.throughputoptimizer.core.kernels.operator.Move;
import io.throughputoptimizer.core.kernels.operator.PromptConvolution;
import io.throughputoptimizer.core.kernels.operator.StateHeads;
import io.throughputoptimizer.core.kernels.operator.StateScan;
import io.throughputoptimizer.core.kernels.operator.StateUpdate;

/// Convolution and recurrence of layers with a recurrent state, by the classes of their kernels.
///
/// @param name prefix of operator names
/// @param chunk tokens of a chunk of the prompt scan
record RecurrentOperators(
        String name, KernelClass convPrefill, KernelClass scan, KernelClass convDecode, KernelClass update, int chunk) {
    /// Update of Mamba2, which was never measured: priced as that of the gated delta rule.
    private static final KernelUse MAMBA2_UPDATE =
            new KernelUse("mamba2_update", KernelClass.PLAIN_TYPE, Basis.SPECIAL);

    /// Creates operators of a delta rule, which scans prompts in chunks of 64 tokens.
    RecurrentOperators(
            String name, KernelClass convPrefill, KernelClass scan, KernelClass convDecode, KernelClass update) {
        this(name, convPrefill, scan, convDecode, update, StateScan.USUAL_CHUNK);
    }

    /// Short convolution of prompts and decode steps, by the classes of its kernels.
    ///
    /// @param name name of the operator
    record Convolution(String name, KernelClass ofPrompts, KernelClass ofSteps) {
        /// Adds the convolution of layers.
        void write(PassBuilder pass, int layers, double channels) {
            if (pass.step().prefills()) {
                Priced<PromptConvolution> convolution = pass.kernels().promptConvolution(ofPrompts);
                PromptConvolution convolves = convolution.kernel();
                pass.add(
                        name,
                        OperatorClass.ATTENTION,
                        layers,
                        convolution.use(),
                        (tokens, _, pairs) -> convolves.microseconds(tokens, prompts(tokens, pairs), channels));
            } else {
                int query = pass.step().query();
                Priced<Move> convolution = pass.kernels().move(ofSteps);
                Move convolves = convolution.kernel();
                double bytes = (12 + 4.0 * query) * channels;
                pass.add(
                        name,
                        OperatorClass.ATTENTION,
                        layers,
                        convolution.use(),
                        (tokens, _, _) -> convolves.microseconds(tokens / query * bytes));
            }
        }
    }

    /// Adds the operators of recurrent layers.
    ///
    /// @param channels channels of the convolution
    void write(PassBuilder pass, int layers, StateHeads heads, double channels, StateType state) {
        new Convolution(name + "_conv", convPrefill, convDecode).write(pass, layers, channels);
        if (pass.step().prefills()) {
            Priced<StateScan> scanned = pass.kernels().scan(scan, chunk);
            StateScan scans = scanned.kernel();
            pass.add(
                    name + "_scan",
                    OperatorClass.ATTENTION,
                    layers,
                    scanned.use(),
                    (tokens, _, pairs) -> scans.microseconds(tokens, prompts(tokens, pairs), heads));
        } else {
            int query = pass.step().query();
            Priced<StateUpdate> updated = pass.kernels().update(update);
            StateUpdate updates = updated.kernel();
            pass.add(
                    name + "_update",
                    OperatorClass.ATTENTION,
                    layers,
                    scan == KernelClass.MAMBA2_SCAN ? MAMBA2_UPDATE : updated.use(),
                    (tokens, _, _) -> updates.microseconds(tokens / query, query, heads, state.bytes()));
        }
    }

    /// Returns the number of equal prompts with the given total tokens and pairs; may be fractional.
    private static double prompts(double tokens, double pairs) {
        return tokens * tokens / (2 * pairs);
    }

    /// Returns the bytes of states and of the previous tokens that the convolution reads.
    static RequestBytes requestBytes(int layers, StateHeads heads, double channels, int kernel, StateType state) {
        double window = channels * (kernel - 1) * PassBuilder.ACTIVATION_BYTES;
        return new RequestBytes(0, layers * (heads.stateElements() * state.bytes() + window), 0, 0);
    }
}
