package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;

/// The shared network in an eager graph.
///
/// @param pass recorder of operators
record EagerSharedExpert(ExpertShard shard, EagerLayers layers, PassRecorder pass) implements SharedExpert {
    @Override
    public Activation prepare(Tensor tokens, LayerScales scales) {
        return new Activation(tokens, null);
    }

    @Override
    public Tensor addTo(Tensor combined, Activation tokens, LayerScales scales) {
        DenseShard.Weights weights = shard.sharedWeights();
        Tensor inner = new EagerGating(shard.sharedActivation(), layers, pass).inner(tokens.values(), weights, scales);
        Tensor shared = layers.linear(inner, weights.down(), scales);
        Tensor gated = shard.gatesShared()
                ? SharedGate.apply(shared, layers.linear(tokens.values(), shard.sharedGate(), scales), pass)
                : shared;
        return pass.elementwise(Kind.ADD, combined.sameShape(), combined, gated);
    }
}
