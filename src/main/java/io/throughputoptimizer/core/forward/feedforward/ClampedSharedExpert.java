package io.throughputoptimizer.core.forward.feedforward;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.QuantizedLinear;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// The network that every token visits, whose activation is fused with quantization: with one scale for each token,
/// whatever the deployment says of the others; not sharded.
///
/// @param compiled whether gate and up are merged, and the tokens quantized as soon as they are there
/// @param resultType type of the last product's result with quantized linears; the reference keeps that of its
///     input
/// @param pass recorder of operators
record ClampedSharedExpert(
        ExpertShard shard, LinearLayers linears, boolean compiled, DataType resultType, PassRecorder pass)
        implements SharedExpert {
    @Override
    public Activation prepare(Tensor tokens, LayerScales scales) {
        return compiled ? linears.quantize(tokens, scales) : new Activation(tokens, null);
    }

    @Override
    public Tensor addTo(Tensor combined, Activation tokens, LayerScales scales) {
        DenseShard.Weights weights = shard.sharedWeights();
        boolean batched = tokens.values().rank() == 3;
        Activation rows = batched ? tokens.with(pass.flatten(tokens.values())) : tokens;
        List<Tensor> parts = compiled ? project(rows, weights, scales) : projectEagerly(rows, weights, scales);
        Tensor product = linears.isQuantized() ? quantized(parts, weights, scales) : plain(parts, weights, scales);
        Tensor shared = batched ? pass.unflatten(product) : product;
        return pass.elementwise(Kind.ADD, combined.sameShape(), combined, shared);
    }

    /// @return gate and up, `[n, width]` each
    private List<Tensor> project(Activation rows, DenseShard.Weights weights, LayerScales scales) {
        long width = shard.sharedWidth();
        return pass.split(linears.apply(rows, List.of(weights.gate(), weights.up()), scales), width, width);
    }

    private List<Tensor> projectEagerly(Activation rows, DenseShard.Weights weights, LayerScales scales) {
        EagerLayers eager = new EagerLayers(linears, pass);
        return List.of(
                eager.linear(rows.values(), weights.gate(), scales), eager.linear(rows.values(), weights.up(), scales));
    }

    private Tensor plain(List<Tensor> parts, DenseShard.Weights weights, LayerScales scales) {
        Tensor gate = parts.get(0);
        Tensor inner = pass.add(DeviceOperators.clampedSwiGlu(gate, parts.get(1), gate.sameShape()));
        return linears.apply(new Activation(inner, null), List.of(weights.down()), scales);
    }

    private Tensor quantized(List<Tensor> parts, DenseShard.Weights weights, LayerScales scales) {
        Tensor gate = parts.get(0);
        Tensor inner = linears.quantized(gate);
        Tensor rowScales = gate.as(DataType.FLOAT32).withLast(1);
        pass.add(DeviceOperators.clampedSwiGluQuantize(gate, parts.get(1), inner, rowScales));
        Tensor weight = weights.down().weight();
        return pass.add(new QuantizedLinear(
                linears.kind(),
                inner,
                weight,
                rowScales,
                requireNonNull(scales.weight()),
                null,
                Tensor.of(resultType, inner.size(0), weight.last())));
    }
}
