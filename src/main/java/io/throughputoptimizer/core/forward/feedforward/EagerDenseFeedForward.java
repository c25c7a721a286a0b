package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;

/// Dense feed-forward part in an eager graph.
final class EagerDenseFeedForward implements FeedForwardBlock {
    private final DenseShard shard;
    private final EagerLayers layers;
    private final PassRecorder pass;

    EagerDenseFeedForward(DenseShard shard, EagerLayers layers, PassRecorder pass) {
        this.shard = shard;
        this.layers = layers;
        this.pass = pass;
    }

    @Override
    public Tensor record(Activation input, LayerScales scales) {
        DenseShard.Weights weights = shard.weights();
        Tensor gate = layers.linear(input.values(), weights.gate(), scales);
        Tensor activated = pass.elementwise(Kind.SILU, gate.sameShape(), gate);
        Tensor up = layers.linear(input.values(), weights.up(), scales);
        Tensor gated = pass.elementwise(Kind.MULTIPLY, up.sameShape(), activated, up);
        return layers.linearAndReduce(gated, weights.down(), scales, shard.tensorParallelGroup());
    }

    @Override
    public double weightBytes() {
        return shard.weights().bytes();
    }
}
