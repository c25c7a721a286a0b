package io.throughputoptimizer.core.forward.feedforward;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.ExpertOperators;
import io.throughputoptimizer.core.operator.experts.GroupedQuantizedLinear;
import java.util.List;

/// All experts of a rank in two products.
///
/// @param pass recorder of operators
record GroupedExperts(ExpertShard shard, LinearLayers linears, PassRecorder pass) {

    /// @param rows tokens of all experts `[R, h]`
    /// @param experts number of experts that have tokens
    /// @return `[R, h]`
    Tensor apply(Tensor rows, Form experts, LayerScales scales) {
        DenseShard.Weights weights = shard.expertWeights();
        LinearWeight inner = LinearLayers.merge(List.of(weights.gate(), weights.up()));
        Activation gated = gated(split(linears.quantize(rows, scales)), inner, experts, scales);
        Activation down = split(gated);
        Tensor result = Tensor.half(rows.size(0), shard.hiddenSize());
        if (linears.isQuantized()) {
            pass.add(product(down, weights.down(), experts, scales, new GroupedQuantizedLinear.Result(result, null)));
        } else {
            pass.add(ExpertOperators.groupedMatMul(down.values(), stacked(weights.down(), experts), result));
        }
        return pass.allReduce(result, shard.expertTensorParallelGroup());
    }

    /// Gate and up with the activation, ready for the next product.
    private Activation gated(Activation rows, LinearWeight weight, Form experts, LayerScales scales) {
        return switch (shard.activation()) {
            case SILU -> fused(rows, weight, experts, scales);
            case GELU, CLAMPED, CLAMPED_SILU, SQUARED_RELU -> apart(rows, weight, experts, scales);
        };
    }

    /// Product and activation one after the other.
    private Activation apart(Activation rows, LinearWeight weight, Form experts, LayerScales scales) {
        Tensor result = Tensor.half(rows.values().size(0), 2 * shard.width());
        pass.add(
                linears.isQuantized()
                        ? product(rows, weight, experts, scales, new GroupedQuantizedLinear.Result(result, null))
                        : ExpertOperators.groupedMatMul(rows.values(), stacked(weight, experts), result));
        List<Tensor> parts = pass.split(result, shard.width(), shard.width());
        return linears.quantize(Gating.join(shard.activation(), parts.get(0), parts.get(1), pass), scales);
    }

    /// Product and activation as one operator.
    private Activation fused(Activation rows, LinearWeight weight, Form experts, LayerScales scales) {
        Tensor result = Tensor.half(rows.values().size(0), shard.width());
        if (!linears.isQuantized()) {
            pass.add(ExpertOperators.groupedMatMulSwiGlu(rows.values(), stacked(weight, experts), result));
            return new Activation(result, null);
        }
        if (!linears.isBlockScaled()) {
            pass.add(product(rows, weight, experts, scales, new GroupedQuantizedLinear.Result(result, null)));
            return linears.quantize(result, scales);
        }
        var quantized = new GroupedQuantizedLinear.Result(linears.quantized(result), linears.blockScale(result));
        pass.add(product(rows, weight, experts, scales, quantized));
        return new Activation(quantized.values(), quantized.scale());
    }

    private GroupedQuantizedLinear product(
            Activation rows,
            LinearWeight weight,
            Form experts,
            LayerScales scales,
            GroupedQuantizedLinear.Result result) {
        Tensor weightScale = weight.blockScale() == null
                ? requireNonNull(scales.weight())
                : weight.blockScale().stacked(experts);
        boolean gated = weight.outputWidth() != result.values().last();
        return new GroupedQuantizedLinear(
                linears.kind(),
                rows.values(),
                weight.weight().stacked(experts),
                new GroupedQuantizedLinear.Scales(requireNonNull(rows.scale()), weightScale),
                gated,
                result);
    }

    private static Tensor stacked(LinearWeight weight, Form experts) {
        return weight.weight().stacked(experts);
    }

    /// One view for each expert; together as large as the whole.
    private Activation split(Activation rows) {
        Tensor values = rows.values();
        return rows.with(pass.view(values, values.size(0), values.last()));
    }
}
