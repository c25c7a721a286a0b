package io.throughputoptimizer.core.forward.layer;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Linear layers and norms in an eager graph: nothing is merged or fused, and each linear layer quantizes its input
/// again.
public final class EagerLayers {
    private final LinearLayers linears;
    private final PassRecorder pass;

    public EagerLayers(LinearLayers linears, PassRecorder pass) {
        this.linears = linears;
        this.pass = pass;
    }

    /// @param input `[1, S, K]` or `[S, K]`
    /// @return the same with `N` columns
    public Tensor linear(Tensor input, LinearWeight weight, LayerScales scales) {
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
    public Tensor linearAndReduce(Tensor input, LinearWeight weight, LayerScales scales, ProcessGroup group) {
        return pass.allReduce(linear(input, weight, scales), group);
    }

    /// A norm inside a layer.
    ///
    /// @param input `[..., width]`
    public Tensor norm(Tensor input) {
        return switch (linears.norms()) {
            case PLAIN -> plainNorm(input);
            case WIDE -> SteppedNorm.plain(pass, false).apply(input);
            case SHIFTED -> SteppedNorm.shifted(pass, false).apply(input);
            case SHIFTED_AND_SUMMED ->
                pass.add(DeviceOperators.rmsNorm(input, summedWeight(input.last()), input.sameShape()));
        };
    }

    /// A norm inside a layer without a weight.
    ///
    /// @param input `[..., width]`
    public Tensor bareNorm(Tensor input) {
        return SteppedNorm.bare(pass, false).apply(input);
    }

    /// The norm after all layers.
    public Tensor lastNorm(Tensor input) {
        return switch (linears.norms()) {
            case PLAIN -> plainNorm(input);
            case WIDE -> SteppedNorm.plain(pass, false).apply(input);
            case SHIFTED, SHIFTED_AND_SUMMED -> SteppedNorm.shifted(pass, false).apply(input);
        };
    }

    /// Adds to the residual stream and normalizes the sum.
    public Normed addAndNorm(Tensor residual, Tensor added) {
        Tensor sum = residual.sameShape();
        return switch (linears.norms()) {
            case PLAIN, WIDE, SHIFTED -> new Normed(norm(pass.elementwise(Kind.ADD, sum, residual, added)), sum);
            case SHIFTED_AND_SUMMED -> {
                Tensor weight = summedWeight(residual.last());
                yield new Normed(
                        pass.add(DeviceOperators.addRmsNorm(residual, added, weight, residual.sameShape(), sum)), sum);
            }
        };
    }

    /// A normalized residual stream.
    ///
    /// @param sum values before normalization
    public record Normed(Tensor values, Tensor sum) {}

    private Tensor summedWeight(long width) {
        Tensor stored = Tensor.half(width);
        return pass.elementwise(Kind.ADD, stored.sameShape(), stored);
    }

    /// The norms before a draft layer, which stay in float32 until the weight is multiplied.
    public Tensor wideNorm(Tensor input) {
        Tensor wide = pass.elementwise(Kind.CAST, input.as(DataType.FLOAT32), input);
        Tensor squares = pass.elementwise(Kind.POWER, wide.sameShape(), wide);
        Tensor mean = pass.elementwise(Kind.MEAN, wide.withLast(1), squares);
        Tensor shifted = pass.elementwise(Kind.ADD_IN_PLACE, mean.sameShape(), mean);
        Tensor factor = pass.elementwise(Kind.RECIPROCAL_SQUARE_ROOT, mean.sameShape(), shifted);
        Tensor scaled = pass.elementwise(Kind.MULTIPLY, wide.sameShape(), wide, factor);
        Tensor weighted = pass.elementwise(Kind.MULTIPLY, wide.sameShape(), scaled, Tensor.half(input.last()));
        return pass.elementwise(Kind.CAST, input.sameShape(), weighted);
    }

    /// Root-mean-square norm: eight operators, in float32 between the two casts.
    private Tensor plainNorm(Tensor input) {
        Tensor wide = pass.elementwise(Kind.CAST, input.as(DataType.FLOAT32), input);
        Tensor squares = pass.elementwise(Kind.POWER, wide.sameShape(), wide);
        Tensor mean = pass.elementwise(Kind.MEAN, wide.withLast(1), squares);
        Tensor shifted = pass.elementwise(Kind.ADD, mean.sameShape(), mean);
        Tensor factor = pass.elementwise(Kind.RECIPROCAL_SQUARE_ROOT, mean.sameShape(), shifted);
        Tensor scaled = pass.elementwise(Kind.MULTIPLY, wide.sameShape(), wide, factor);
        Tensor narrow = pass.elementwise(Kind.CAST, input.sameShape(), scaled);
        Tensor weight = Tensor.half(input.last());
        return pass.elementwise(Kind.MULTIPLY, input.sameShape(), weight, narrow);
    }
}
