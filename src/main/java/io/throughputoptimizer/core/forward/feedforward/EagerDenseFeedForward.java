package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
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
        Tensor gated = new EagerGating(shard.activation(), layers, pass).inner(input.values(), weights, scales);
        return layers.linearAndReduce(gated, weights.down(), scales, shard.tensorParallelGroup());
    }

    @Override
    public double weightBytes() {
        return shard.weights().bytes();
    }
}
