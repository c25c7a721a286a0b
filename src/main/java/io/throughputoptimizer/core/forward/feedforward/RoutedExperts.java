package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.AllToAll;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.ExpertOperators;
import org.jspecify.annotations.Nullable;

/// Routed experts: routing, dispatch to the ranks of the experts, their work, and the way back; beside it the
/// network that every token visits, if there is one.
final class RoutedExperts implements FeedForwardBlock {
    private final ExpertShard shard;
    private final ExpertGate gate;
    private final ExpertNetworks experts;
    private final @Nullable SharedExpert shared;
    private final Kind narrowing;
    private final PassRecorder pass;

    /// @param narrowing conversion of float32 sums to the type of the residual stream
    RoutedExperts(
            ExpertShard shard,
            ExpertGate gate,
            ExpertNetworks experts,
            @Nullable SharedExpert shared,
            Kind narrowing,
            PassRecorder pass) {
        this.shard = shard;
        this.gate = gate;
        this.experts = experts;
        this.shared = shared;
        this.narrowing = narrowing;
        this.pass = pass;
    }

    @Override
    public Tensor record(Activation input, LayerScales scales) {
        Tensor hidden = input.values();
        TokenShare share = new TokenShare(shard, pass);
        ExpertGate.Routed routed = gate.route(hidden, share);
        Tensor combined = shared == null ? combine(routed, scales) : combineWithShared(shared, routed, scales);
        Tensor narrow = combined.type() == DataType.FLOAT16
                ? combined
                : pass.elementwise(narrowing, combined.as(DataType.FLOAT16), combined);
        return narrow.rank() == 3 ? narrow : pass.unflatten(share.exit(narrow, hidden.size(1)));
    }

    private Tensor combineWithShared(SharedExpert network, ExpertGate.Routed routed, LayerScales scales) {
        Activation prepared = network.prepare(routed.tokens(), scales);
        return network.addTo(combine(routed, scales), prepared, scales);
    }

    /// Weighted sum of the experts of each token, `[n, h]`.
    private Tensor combine(ExpertGate.Routed routed, LayerScales scales) {
        Tensor tokens = routed.tokens();
        Form count = routed.indices().size(0);
        ExpertLoad load = shard.load(count);
        Tensor sorted = pass.add(
                ExpertOperators.initRouting(tokens, routed.indices(), Tensor.half(load.copies(), tokens.last())));
        Tensor received = exchange(sorted, load.received(), load);
        Tensor returned = exchange(experts.apply(received, load, scales.experts()), load.copies(), load);
        Tensor ordered = Tensor.half(count, shard.expertsPerToken(), tokens.last());
        pass.add(ExpertOperators.unpermuteTokens(returned, routed.indices(), ordered));
        Tensor weights = pass.view(routed.weights(), count, shard.expertsPerToken(), 1);
        Tensor weighted = pass.elementwise(Kind.MULTIPLY, ordered.as(weights.type()), ordered, weights);
        Tensor sum = pass.elementwise(Kind.SUM, Tensor.of(weights.type(), count, tokens.last()), weighted);
        return tokens.rank() == 3 ? pass.unflatten(sum) : sum;
    }

    private Tensor exchange(Tensor rows, Form count, ExpertLoad load) {
        if (!shard.hasExpertParallelism()) {
            return rows;
        }
        Form bytes = Tensor.bytes(rows.type(), load.exchanged().times(rows.last()));
        Tensor result = Tensor.half(count, rows.last());
        return pass.add(new AllToAll(rows, result, bytes, shard.expertParallelGroup()));
    }

    @Override
    public boolean takesQuantized() {
        return false;
    }

    @Override
    public boolean isMemoryProved() {
        return experts.isMemoryProved();
    }

    @Override
    public double weightBytes() {
        return shard.weightBytes();
    }
}
