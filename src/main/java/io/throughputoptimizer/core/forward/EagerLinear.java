package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// A linear layer in an eager graph: nothing is merged, and each quantizes its input again.
final class EagerLinear {
    private final LinearLayers linears;
    private final PassRecorder pass;

    EagerLinear(LinearLayers linears, PassRecorder pass) {
        this.linears = linears;
        this.pass = pass;
    }

    /// @param input `[1, S, K]`
    /// @return `[1, S, N]`
    Tensor apply(Tensor input, LinearWeight weight, LayerScales scales) {
        Activation rows = linears.quantize(pass.flatten(input), scales);
        Tensor product = linears.apply(rows, List.of(weight), scales);
        boolean allocates = !linears.isQuantized() && weight.bias() == null;
        return allocates ? pass.unsafeView(product, 1, product.size(0), product.last()) : pass.unflatten(product);
    }

    /// A row-parallel linear: its partial sums are added over the group.
    Tensor applyAndReduce(Tensor input, LinearWeight weight, LayerScales scales, ProcessGroup group) {
        return pass.allReduce(apply(input, weight, scales), group);
    }
}
