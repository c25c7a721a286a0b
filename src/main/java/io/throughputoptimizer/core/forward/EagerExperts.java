package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Experts of a rank in an eager graph: what arrives is sorted by expert, they run one by one, and their results are
/// sorted by receiving rank.
final class EagerExperts implements ExpertNetworks {
    private final ExpertShard shard;
    private final EagerLinear linear;
    private final PassRecorder pass;

    EagerExperts(ExpertShard shard, EagerLinear linear, PassRecorder pass) {
        this.shard = shard;
        this.linear = linear;
        this.pass = pass;
    }

    @Override
    public Tensor apply(Tensor received, ExpertLoad load, LayerScales scales) {
        Tensor sorted = join(
                received,
                load.groups().stream().map(group -> sort(received, group)).toList());
        List<Tensor> results = load.groups().stream()
                .map(group -> {
                    Tensor result = pass.repeat(group.experts(), () -> expert(sorted, group, scales));
                    return pass.view(result, group.rows(), received.last());
                })
                .toList();
        return join(received, results);
    }

    /// Tokens of each expert of a group, from all ranks.
    private Tensor sort(Tensor received, ExpertLoad.Group group) {
        Tensor own = pass.repeat(group.experts(), () -> {
            Tensor pieces = pass.firstRows(received, group.tokens());
            return pass.elementwise(Kind.CONCATENATE, Tensor.half(group.tokens(), received.last()), pieces);
        });
        return pass.view(own, group.rows(), received.last());
    }

    private Tensor join(Tensor like, List<Tensor> parts) {
        return pass.elementwise(Kind.CONCATENATE, like.sameShape(), parts.toArray(Tensor[]::new));
    }

    private Tensor expert(Tensor sorted, ExpertLoad.Group group, LayerScales scales) {
        Tensor own = pass.firstRows(sorted, group.tokens());
        Tensor rows =
                group.isPadded() ? pass.elementwise(Kind.PAD, Tensor.half(group.paddedTokens(), own.last()), own) : own;
        DenseShard.Weights weights = shard.expertWeights();
        Tensor gate = linear.apply(rows, weights.gate(), scales);
        Tensor up = linear.apply(rows, weights.up(), scales);
        Tensor activated = pass.elementwise(Kind.SILU, gate.sameShape(), gate);
        Tensor inner = pass.elementwise(Kind.MULTIPLY, up.sameShape(), up, activated);
        return linear.applyAndReduce(inner, weights.down(), scales, shard.expertTensorParallelGroup());
    }
}
