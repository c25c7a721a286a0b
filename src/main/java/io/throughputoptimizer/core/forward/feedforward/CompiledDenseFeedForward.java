package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Dense feed-forward part in a compiled graph: gate and up merged, the gated activation fused.
final class CompiledDenseFeedForward implements FeedForwardBlock {
    private final DenseShard shard;
    private final LinearLayers linears;
    private final PassRecorder pass;

    CompiledDenseFeedForward(DenseShard shard, LinearLayers linears, PassRecorder pass) {
        this.shard = shard;
        this.linears = linears;
        this.pass = pass;
    }

    @Override
    public Tensor record(Activation input, LayerScales scales) {
        DenseShard.Weights weights = shard.weights();
        Activation flat = input.with(pass.flatten(input.values()));
        Tensor merged = linears.apply(flat, weights.gateAndUp(), scales);
        List<Tensor> parts = pass.split(merged, shard.width(), shard.width());
        Tensor gate = pass.unflatten(parts.get(0));
        Tensor up = pass.unflatten(parts.get(1));
        Activation inner = linears.quantize(Gating.join(shard.activation(), gate, up, pass), scales);
        Activation rows = inner.with(pass.flatten(inner.values()));
        return linears.applyAndReduce(rows, weights.down(), scales, shard.tensorParallelGroup());
    }

    @Override
    public double weightBytes() {
        return shard.weights().bytes();
    }
}
