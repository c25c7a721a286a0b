package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Experts of a rank in a compiled graph: all in grouped products, or one by one as soon as one of them needs
/// padding.
///
/// What arrives is sorted by sending rank and what is sent back by expert; the rearrangements between cancel each
/// other but for one concatenation at the end, and one at the beginning when an expert has no tokens.
final class CompiledExperts implements ExpertNetworks {
    private final ExpertShard shard;
    private final LinearLayers linears;
    private final PassRecorder pass;

    CompiledExperts(ExpertShard shard, LinearLayers linears, PassRecorder pass) {
        this.shard = shard;
        this.linears = linears;
        this.pass = pass;
    }

    @Override
    public Tensor apply(Tensor received, ExpertLoad load, LayerScales scales) {
        boolean dispatchJoins = shard.hasExpertParallelism() && load.kind().idleExperts();
        Tensor rows =
                dispatchJoins ? pass.elementwise(Kind.CONCATENATE_EXPERTS, received.sameShape(), received) : received;
        boolean grouped = load.kind().grouped();
        List<Tensor> results = grouped ? together(rows, load, scales) : oneByOne(rows, load, scales);
        return load.localExperts() > 1
                ? pass.elementwise(Kind.CONCATENATE, received.sameShape(), results.toArray(Tensor[]::new))
                : results.getFirst();
    }

    @Override
    public boolean isMemoryProved() {
        return shard.path() != ExpertSplit.Path.GATHERED && !shard.reshards();
    }

    private List<Tensor> together(Tensor rows, ExpertLoad load, LayerScales scales) {
        Tensor result = new GroupedExperts(shard, linears, pass).apply(rows, load.liveExperts(), scales);
        Tensor split = pass.firstRows(result, result.size(0));
        return List.of(byRank(pass.firstRows(split, load.received()), load));
    }

    private List<Tensor> oneByOne(Tensor rows, ExpertLoad load, LayerScales scales) {
        SingleExpert expert = new SingleExpert(shard, linears, pass);
        return load.groups().stream()
                .map(group -> pass.repeatAndStack(
                        group.experts(),
                        group.tokens(),
                        () -> expert.apply(ownRows(rows, group), group.units(), scales)))
                .map(results -> byRank(results, load))
                .toList();
    }

    /// Views of the rows of each rank: what is sent back to it.
    private Tensor byRank(Tensor results, ExpertLoad load) {
        boolean split = shard.hasExpertParallelism() && load.localExperts() > 1;
        return split ? pass.firstRows(results, results.size(0)) : results;
    }

    /// Tokens of one expert, padded if need be.
    private Tensor ownRows(Tensor rows, ExpertLoad.Group group) {
        Tensor own = pass.firstRows(rows, group.tokens());
        return group.isPadded() ? pass.elementwise(Kind.PAD, Tensor.half(group.paddedTokens(), own.last()), own) : own;
    }
}
