package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;

/// Dense feed-forward part in an eager graph.
final class EagerDenseFeedForward implements FeedForwardBlock {
    private final DenseShard shard;
    private final EagerLinear linear;
    private final PassRecorder pass;

    EagerDenseFeedForward(DenseShard shard, EagerLinear linear, PassRecorder pass) {
        this.shard = shard;
        this.linear = linear;
        this.pass = pass;
    }

    @Override
    public Tensor record(Activation input, LayerScales scales) {
        DenseShard.Weights weights = shard.weights();
        Tensor gate = linear.apply(input.values(), weights.gate(), scales);
        Tensor activated = pass.elementwise(Kind.SILU, gate.sameShape(), gate);
        Tensor up = linear.apply(input.values(), weights.up(), scales);
        Tensor gated = pass.elementwise(Kind.MULTIPLY, up.sameShape(), activated, up);
        return linear.applyAndReduce(gated, weights.down(), scales, shard.tensorParallelGroup());
    }

    @Override
    public boolean takesQuantized() {
        return true;
    }

    @Override
    public boolean isMemoryProved() {
        return true;
    }

    @Override
    public double weightBytes() {
        return shard.weights().bytes();
    }
}
