package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.ModuleType;
import io.throughputoptimizer.core.kernels.operator.AttentionModule;
import io.throughputoptimizer.core.kernels.operator.AttentionModule.Shape;
import io.throughputoptimizer.core.kernels.operator.AttentionModule.Work;
import io.throughputoptimizer.core.kernels.operator.Kernels.Priced;

/// Layers whose attention is one module, and the builder of their operators.
///
/// @param decoding class of the module in decode
/// @param prefilling class of the module in prefill
record ModuleLayers(String name, int layers, KernelClass decoding, KernelClass prefilling, ModuleType type) {

    /// Work of a decode step.
    interface Decode {
        /// Returns the work of a step.
        ///
        /// @param tokens new tokens
        /// @param length cached tokens of a sequence
        /// @param context cached tokens of all sequences
        Work work(double tokens, double length, double context);
    }

    /// Work of a prefill step.
    interface Prefill {
        /// Returns the work of a step.
        ///
        /// @param tokens new tokens
        /// @param length tokens of a prompt
        /// @param pairs visible pairs of all prompts
        Work work(double tokens, double length, double pairs);
    }

    void writeDecode(PassBuilder pass, Shape shape, Decode decode) {
        Priced<AttentionModule> priced = pass.kernels().decodeModule(decoding, type);
        AttentionModule kernel = priced.kernel();
        int query = pass.step().query();
        pass.add(
                name,
                OperatorClass.ATTENTION,
                layers,
                priced.use(),
                (tokens, _, context) ->
                        kernel.microseconds(shape, decode.work(tokens, context / (tokens / query), context)));
    }

    void writePrefill(PassBuilder pass, Shape shape, Prefill prefill) {
        writePrefill(pass, shape, 0, Double.POSITIVE_INFINITY, prefill);
    }

    /// Adds the module for prompts longer than `above`, up to `most`; others take no time.
    void writePrefill(PassBuilder pass, Shape shape, double above, double most, Prefill prefill) {
        Priced<AttentionModule> priced = pass.kernels().prefillModule(prefilling, type, decoding);
        AttentionModule kernel = priced.kernel();
        pass.add(name, OperatorClass.ATTENTION, layers, priced.use(), (tokens, _, pairs) -> {
            double length = SelectedPairs.length(tokens, pairs);
            return length > above && length <= most
                    ? kernel.microseconds(shape, prefill.work(tokens, length, pairs))
                    : 0;
        });
    }
}
