package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// The network that every token visits in addition to its experts, in a compiled graph; not sharded.
///
/// @param pass recorder of operators
record CompiledSharedExpert(ExpertShard shard, LinearLayers linears, PassRecorder pass) implements SharedExpert {

    /// Quantizes the tokens: a compiled graph does so as soon as they are there.
    @Override
    public Activation prepare(Tensor tokens, LayerScales scales) {
        return linears.quantize(tokens, scales);
    }

    @Override
    public Tensor addTo(Tensor combined, Activation tokens, LayerScales scales) {
        DenseShard.Weights weights = shard.sharedWeights();
        boolean batched = tokens.values().rank() == 3;
        List<Tensor> parts = project(rows(tokens), weights, scales);
        Tensor gate = batched ? pass.unflatten(parts.get(0)) : parts.get(0);
        Tensor up = batched ? pass.unflatten(parts.get(1)) : parts.get(1);
        Activation inner = linears.quantize(Gating.join(shard.sharedActivation(), gate, up, pass), scales);
        Tensor product = linears.apply(rows(inner), List.of(weights.down()), scales);
        Tensor shared = batched ? pass.unflatten(product) : product;
        Tensor gated = shard.gatesShared() ? SharedGate.apply(shared, parts.get(2), pass) : shared;
        return pass.elementwise(Kind.ADD, combined.sameShape(), combined, gated);
    }

    /// Gate and up, and the gate of the result if there is one: one product, unless scales of MXFP4 differ in shape.
    private List<Tensor> project(Activation rows, DenseShard.Weights weights, LayerScales scales) {
        long width = shard.sharedWidth();
        if (!shard.gatesShared()) {
            return pass.split(linears.apply(rows, List.of(weights.gate(), weights.up()), scales), width, width);
        }
        LinearWeight gate = shard.sharedGate();
        if (!linears.isBlockScaled()) {
            return pass.split(
                    linears.apply(rows, List.of(weights.gate(), weights.up(), gate), scales), width, width, 1);
        }
        List<Tensor> parts =
                pass.split(linears.apply(rows, List.of(weights.gate(), weights.up()), scales), width, width);
        return List.of(parts.get(0), parts.get(1), linears.apply(rows, List.of(gate), scales));
    }

    private Activation rows(Activation tokens) {
        return tokens.values().rank() == 3 ? tokens.with(pass.flatten(tokens.values())) : tokens;
    }
}
