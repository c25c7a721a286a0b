package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.operator.Kernels.Priced;
import io.throughputoptimizer.core.kernels.operator.Move;
import io.throughputoptimizer.core.kernels.operator.PromptConvolution;
import io.throughputoptimizer.core.kernels.operator.StateHeads;
import io.throughputoptimizer.core.kernels.operator.StateScan;
import io.throughputoptimizer.core.kernels.operator.StateUpdate;

/// Convolution and delta rule of layers with a recurrent state, by the classes of their kernels.
///
/// @param name prefix of operator names
record RecurrentOperators(
        String name, KernelClass convPrefill, KernelClass scan, KernelClass convDecode, KernelClass update) {

    /// Adds the operators of recurrent layers.
    ///
    /// @param channels channels of the convolution
    void write(PassBuilder pass, int layers, StateHeads heads, double channels, StateType state) {
        if (pass.step().prefills()) {
            writePrefill(pass, layers, heads, channels);
        } else {
            writeDecode(pass, layers, heads, channels, state);
        }
    }

    private void writePrefill(PassBuilder pass, int layers, StateHeads heads, double channels) {
        Priced<PromptConvolution> convolution = pass.kernels().promptConvolution(convPrefill);
        PromptConvolution convolves = convolution.kernel();
        pass.add(
                name + "_conv",
                OperatorClass.ATTENTION,
                layers,
                convolution.use(),
                (tokens, _, pairs) -> convolves.microseconds(tokens, prompts(tokens, pairs), channels));
        Priced<StateScan> scanned = pass.kernels().scan(scan);
        StateScan scans = scanned.kernel();
        pass.add(
                name + "_scan",
                OperatorClass.ATTENTION,
                layers,
                scanned.use(),
                (tokens, _, pairs) -> scans.microseconds(tokens, prompts(tokens, pairs), heads));
    }

    /// Returns the number of equal prompts with the given total tokens and pairs; may be fractional.
    private static double prompts(double tokens, double pairs) {
        return tokens * tokens / (2 * pairs);
    }

    private void writeDecode(PassBuilder pass, int layers, StateHeads heads, double channels, StateType state) {
        int query = pass.step().query();
        Priced<Move> convolution = pass.kernels().move(convDecode);
        Move convolves = convolution.kernel();
        double bytes = (12 + 4.0 * query) * channels;
        pass.add(
                name + "_conv",
                OperatorClass.ATTENTION,
                layers,
                convolution.use(),
                (tokens, _, _) -> convolves.microseconds(tokens / query * bytes));
        Priced<StateUpdate> updated = pass.kernels().update(update);
        StateUpdate updates = updated.kernel();
        pass.add(
                name + "_update",
                OperatorClass.ATTENTION,
                layers,
                updated.use(),
                (tokens, _, _) -> updates.microseconds(tokens / query, query, heads, state.bytes()));
    }

    /// Returns the bytes of states and of the previous tokens that the convolution reads.
    static RequestBytes requestBytes(int layers, StateHeads heads, double channels, int kernel, StateType state) {
        double window = channels * (kernel - 1) * PassBuilder.ACTIVATION_BYTES;
        return new RequestBytes(0, layers * (heads.stateElements() * state.bytes() + window), 0, 0);
    }
}
