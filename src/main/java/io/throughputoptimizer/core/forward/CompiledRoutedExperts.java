package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.AllToAll;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.InitRouting;
import io.throughputoptimizer.core.operator.SwiGlu;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.UnpermuteTokens;
import java.util.List;

/// Routed experts in a compiled graph: routing, dispatch to the ranks of the experts, their work, and the way
/// back; beside it the network that every token visits, if there is one.
final class CompiledRoutedExperts implements FeedForwardBlock {
    private final ExpertShard shard;
    private final ExpertGate gate;
    private final LinearLayers linears;
    private final PassRecorder pass;

    CompiledRoutedExperts(ExpertShard shard, ExpertGate gate, LinearLayers linears, PassRecorder pass) {
        this.shard = shard;
        this.gate = gate;
        this.linears = linears;
        this.pass = pass;
    }

    @Override
    public Tensor record(Activation input, LayerScales scales) {
        Tensor tokens = pass.flatten(input.values());
        TokenShare share = new TokenShare(shard, pass);
        ExpertGate.Routed routed = gate.route(tokens, share);
        Tensor combined = combine(routed, scales);
        Tensor all = shard.hasSharedExpert() ? addShared(combined, routed.tokens(), scales) : combined;
        Tensor narrow =
                all.type() == DataType.FLOAT16 ? all : pass.elementwise(Kind.CONVERT, all.as(DataType.FLOAT16), all);
        return pass.unflatten(share.exit(narrow, tokens.size(0)));
    }

    /// Weighted sum of the experts of each token, `[n, h]`.
    private Tensor combine(ExpertGate.Routed routed, LayerScales scales) {
        Tensor tokens = routed.tokens();
        ExpertLoad load = shard.load(tokens.size(0));
        Tensor sorted = pass.add(new InitRouting(tokens, routed.indices(), Tensor.half(load.copies(), tokens.last())));
        Tensor received = exchange(sorted, load.received(), load);
        Tensor returned = exchange(experts(received, load, scales), load.copies(), load);
        Tensor ordered = Tensor.half(tokens.size(0), shard.expertsPerToken(), tokens.last());
        pass.add(new UnpermuteTokens(returned, routed.indices(), ordered));
        Tensor weights = pass.view(routed.weights(), tokens.size(0), shard.expertsPerToken(), 1);
        Tensor weighted = pass.elementwise(Kind.MULTIPLY, ordered.as(weights.type()), ordered, weights);
        return pass.elementwise(Kind.SUM, tokens.as(weights.type()), weighted);
    }

    private Tensor exchange(Tensor rows, long count, ExpertLoad load) {
        if (!shard.hasExpertParallelism()) {
            return rows;
        }
        double bytes = rows.type().bytes((double) load.exchanged() * rows.last());
        Tensor result = Tensor.half(count, rows.last());
        return pass.add(new AllToAll(rows, result, bytes, shard.expertParallelGroup()));
    }

    private Tensor experts(Tensor received, ExpertLoad load, LayerScales scales) {
        boolean dispatchJoins = shard.hasExpertParallelism() && load.hasIdleExperts();
        Tensor rows =
                dispatchJoins ? pass.elementwise(Kind.CONCATENATE_EXPERTS, received.sameShape(), received) : received;
        boolean grouped = !load.isPadded() && load.localExperts() > 1 && !shard.reshards();
        List<Tensor> results = grouped ? together(rows, load, scales) : oneByOne(rows, load, scales);
        return load.localExperts() > 1
                ? pass.elementwise(Kind.CONCATENATE, received.sameShape(), results.toArray(Tensor[]::new))
                : results.getFirst();
    }

    private List<Tensor> together(Tensor rows, ExpertLoad load, LayerScales scales) {
        Tensor result = new GroupedExperts(shard, linears, pass).apply(rows, load.liveExperts(), scales);
        return List.of(pass.view(result, result.size(0), result.last()));
    }

    private List<Tensor> oneByOne(Tensor rows, ExpertLoad load, LayerScales scales) {
        SingleExpert expert = new SingleExpert(shard, linears, pass);
        return load.groups().stream()
                .map(group -> {
                    Tensor result = pass.repeat(group.experts(), () -> expert.apply(ownRows(rows, group), scales));
                    return pass.view(result, group.rows(), rows.last());
                })
                .toList();
    }

    /// Tokens of one expert, padded if need be.
    private Tensor ownRows(Tensor rows, ExpertLoad.Group group) {
        Tensor own = pass.firstRows(rows, group.tokens());
        return group.isPadded() ? pass.elementwise(Kind.PAD, Tensor.half(group.paddedTokens(), own.last()), own) : own;
    }

    private Tensor addShared(Tensor combined, Tensor tokens, LayerScales scales) {
        DenseShard.Weights weights = shard.sharedWeights();
        Activation rows = linears.quantize(tokens, scales);
        Tensor merged = linears.apply(rows, List.of(weights.gate(), weights.up()), scales);
        List<Tensor> parts = pass.split(merged, shard.sharedWidth(), shard.sharedWidth());
        Tensor inner =
                pass.add(new SwiGlu(parts.get(0), parts.get(1), parts.get(0).sameShape()));
        Tensor shared = linears.apply(linears.quantize(inner, scales), List.of(weights.down()), scales);
        return pass.elementwise(Kind.ADD, combined.sameShape(), combined, shared);
    }

    @Override
    public boolean takesQuantized() {
        return false;
    }

    @Override
    public double weightBytes() {
        return shard.weightBytes();
    }
}
