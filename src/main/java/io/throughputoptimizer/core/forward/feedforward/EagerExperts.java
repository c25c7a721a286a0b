package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.function.Function;

/// Experts of a rank in an eager graph: what arrives is sorted by expert, they run one by one, and their results are
/// sorted by receiving rank.
final class EagerExperts implements ExpertNetworks {
    private final ExpertShard shard;
    private final EagerLayers layers;
    private final PassRecorder pass;

    EagerExperts(ExpertShard shard, EagerLayers layers, PassRecorder pass) {
        this.shard = shard;
        this.layers = layers;
        this.pass = pass;
    }

    @Override
    public Tensor apply(Tensor received, ExpertLoad load, LayerScales scales) {
        splitByRankAndExpert(received);
        Tensor sorted = join(received, load, group -> ownOfAllRanks(received, group));
        return join(received, load, group -> expert(sorted, group, scales));
    }

    @Override
    public boolean isMemoryProved() {
        return shard.path() == ExpertSplit.Path.SLICED;
    }

    private void splitByRankAndExpert(Tensor received) {
        Tensor byRank = pass.firstRows(received, received.size(0));
        pass.firstRows(byRank, received.size(0));
    }

    /// What `body` yields for each expert, one after the other.
    private Tensor join(Tensor like, ExpertLoad load, Function<ExpertLoad.Group, Tensor> body) {
        Tensor[] parts = load.groups().stream()
                .map(group -> pass.repeatAndStack(group.experts(), group.tokens(), () -> body.apply(group)))
                .toArray(Tensor[]::new);
        return pass.elementwise(Kind.CONCATENATE, like.sameShape(), parts);
    }

    private Tensor ownOfAllRanks(Tensor received, ExpertLoad.Group group) {
        Tensor pieces = pass.firstRows(received, group.tokens());
        return pass.elementwise(Kind.CONCATENATE, pieces.sameShape(), pieces);
    }

    private Tensor expert(Tensor sorted, ExpertLoad.Group group, LayerScales scales) {
        Tensor own = pass.firstRows(sorted, group.tokens());
        Tensor rows =
                group.isPadded() ? pass.elementwise(Kind.PAD, Tensor.half(group.paddedTokens(), own.last()), own) : own;
        DenseShard.Weights weights = shard.expertWeights();
        Tensor gate = layers.linear(rows, weights.gate(), scales);
        Tensor up = layers.linear(rows, weights.up(), scales);
        Tensor inner = new EagerGating(shard.activation(), layers, pass).join(gate, up);
        Tensor down = layers.linearAndReduce(inner, weights.down(), scales, shard.expertTensorParallelGroup());
        Tensor result = group.isPadded() ? pass.firstRows(down, group.tokens()) : down;
        return pass.firstRows(result, group.tokens());
    }
}
