package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.function.Function;

/// Experts of a rank in an eager graph: what arrives from several ranks is sorted by expert, they run one by one, and
/// their results are put together in the order of the ranks that receive them.
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
        Tensor sorted = shard.hasExpertParallelism() ? sorted(received, load) : received;
        Tensor[] results = each(load, group -> expert(sorted, group, scales));
        return load.localExperts() > 1 ? join(received, results) : results[0];
    }

    @Override
    public boolean isMemoryProved() {
        return shard.path() == ExpertSplit.Path.SLICED;
    }

    private Tensor sorted(Tensor received, ExpertLoad load) {
        Tensor byRank = pass.firstRows(received, received.size(0));
        pass.firstRows(byRank, received.size(0));
        return join(received, each(load, group -> ownOfAllRanks(received, group)));
    }

    private Tensor join(Tensor like, Tensor... parts) {
        return pass.elementwise(Kind.CONCATENATE, like.sameShape(), parts);
    }

    /// Records `body` for each expert in turn and returns the results.
    private Tensor[] each(ExpertLoad load, Function<ExpertLoad.Group, Tensor> body) {
        return load.groups().stream()
                .map(group -> pass.repeatAndStack(group.experts(), group.tokens(), () -> body.apply(group)))
                .toArray(Tensor[]::new);
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
