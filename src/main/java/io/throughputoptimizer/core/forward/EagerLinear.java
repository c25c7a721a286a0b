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

    /// @param input `[1, S, K]` or `[S, K]`
    /// @return the same with `N` columns
    Tensor apply(Tensor input, LinearWeight weight, LayerScales scales) {
        return input.rank() == 2 ? applyToRows(input, weight, scales) : applyToBatch(input, weight, scales);
    }

    private Tensor applyToBatch(Tensor input, LinearWeight weight, LayerScales scales) {
        Tensor product = product(pass.flatten(input), weight, scales);
        boolean allocates = !linears.isQuantized() && weight.bias() == null;
        return allocates
                ? pass.unsafeView(product, Tensor.of(product.type(), 1, product.size(0), product.last()))
                : pass.unflatten(product);
    }

    /// Quantized linears look at the rows, and at their result, through a view of the same shape.
    private Tensor applyToRows(Tensor input, LinearWeight weight, LayerScales scales) {
        if (!linears.isQuantized()) {
            return product(input, weight, scales);
        }
        Tensor product = product(pass.firstRows(input, input.size(0)), weight, scales);
        return pass.firstRows(product, product.size(0));
    }

    private Tensor product(Tensor rows, LinearWeight weight, LayerScales scales) {
        return linears.apply(linears.quantize(rows, scales), List.of(weight), scales);
    }

    /// A row-parallel linear: its partial sums are added over the group.
    Tensor applyAndReduce(Tensor input, LinearWeight weight, LayerScales scales, ProcessGroup group) {
        return pass.allReduce(apply(input, weight, scales), group);
    }
}
