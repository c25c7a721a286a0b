package io.throughputoptimizer.core.forward.attention;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.View;
import io.throughputoptimizer.core.operator.attention.AttentionOperators;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Grouped-query attention in an eager graph: separate projections, norms and rotation in single operators.
final class EagerGroupedQueryAttention implements AttentionBlock {
    private final GroupedQueryShard shard;
    private final @Nullable SteppedRotation steps;
    private final @Nullable ContextExchange context;
    private final EagerLayers layers;
    private final PassRecorder pass;

    /// @param steps absent where whole heads are turned by halves
    /// @param context absent where each rank attends to whole sequences
    EagerGroupedQueryAttention(
            GroupedQueryShard shard,
            @Nullable SteppedRotation steps,
            @Nullable ContextExchange context,
            LinearLayers linears,
            PassRecorder pass) {
        this.shard = shard;
        this.steps = steps;
        this.context = context;
        this.layers = new EagerLayers(linears, pass);
        this.pass = pass;
    }

    @Override
    public Tensor record(Activation input, LayerInputs inputs) {
        LayerScales scales = inputs.scales();
        Rotary rotary = inputs.rotary();
        GroupedQueryShard.Weights weights = shard.weights();
        Tensor normed = input.values();
        AttentionSpec.HeadNorm norm = shard.headNorm();
        LinearWeight joined = weights.joined();
        List<Tensor> parts = joined == null ? List.of() : split(layers.linear(normed, joined, scales));
        Queries queries = queries(joined == null ? layers.linear(normed, weights.query(), scales) : parts.get(0));
        Tensor query = heads(queries.query(), norm);
        Tensor keys = joined == null ? layers.linear(normed, weights.key(), scales) : parts.get(1);
        Tensor key = heads(keys, norm);
        Tensor value = values(joined == null ? projectedValues(normed, weights.value(), keys, scales) : parts.get(2));
        Tensor attended = attend(rotate(query, key, rotary), value, inputs);
        Tensor gated = queries.gate() == null ? attended : new OutputGating(pass).apply(attended, queries.gate());
        return layers.linearAndReduce(pass.unflatten(gated), weights.output(), scales, shard.tensorParallelGroup());
    }

    /// @param keys keys, which are also the values if those have no weight
    private Tensor projectedValues(Tensor normed, @Nullable LinearWeight weight, Tensor keys, LayerScales scales) {
        return weight == null ? keys : layers.linear(normed, weight, scales);
    }

    private Tensor values(Tensor projected) {
        Tensor heads = pass.swapMiddle(view(projected, shard.valueSize()));
        return shard.normalizesValues() ? layers.bareNorm(heads) : heads;
    }

    /// Queries, keys and values of one product, `[1, S, heads D]` each.
    private List<Tensor> split(Tensor projected) {
        return pass
                .split(pass.flatten(projected), shard.projectedQueryWidth(), shard.keyWidth(), shard.valueWidth())
                .stream()
                .map(pass::unflatten)
                .toList();
    }

    /// @param query `[1, S, hq D]`
    /// @param gate gate of the output, `[S, hq D]`; null without one
    private record Queries(Tensor query, @Nullable Tensor gate) {}

    /// Queries and gates, which a projection yields head by head.
    private Queries queries(Tensor projected) {
        if (!shard.gatesOutput()) {
            return new Queries(projected, null);
        }
        List<Tensor> halves = pass.split(pass.flatten(projected), shard.queryWidth(), shard.queryWidth());
        Tensor gate = new OutputGating(pass).gate(halves.get(1), shard.queryHeads());
        return new Queries(pass.unflatten(halves.get(0)), gate);
    }

    /// `[1, S, heads D]` as `[1, heads, S, D]`, normalized on the way.
    private Tensor heads(Tensor projected, AttentionSpec.HeadNorm norm) {
        return switch (norm) {
            case NONE -> pass.swapMiddle(view(projected));
            case PER_HEAD, PER_HEAD_AND_VALUE ->
                shard.swapsBeforeNorm()
                        ? layers.norm(pass.swapMiddle(view(projected)))
                        : pass.swapMiddle(layers.norm(view(projected)));
            case ACROSS_HEADS -> pass.swapMiddle(view(layers.norm(projected)));
        };
    }

    private Tensor view(Tensor projected) {
        return view(projected, shard.headSize());
    }

    private Tensor view(Tensor projected, long size) {
        return pass.view(projected, 1, projected.size(1), projected.last() / size, size);
    }

    /// Rotated queries and keys, `[1, S, heads, D]` each.
    private List<Tensor> rotate(Tensor query, Tensor key, Rotary rotary) {
        if (steps != null) {
            return steps.turn(query, key, rotary);
        }
        Rotary broadcast = new Rotary(broadcast(rotary.cosines()), broadcast(rotary.sines()));
        Tensor rotatedQuery = rotate(query, broadcast);
        Tensor rotatedKey = rotate(key, broadcast);
        return List.of(pass.swapMiddle(rotatedQuery), pass.swapMiddle(rotatedKey));
    }

    private Tensor broadcast(Tensor factors) {
        return pass.view(
                factors,
                Tensor.of(factors.type(), 1, factors.size(1), factors.last()).stacked(Form.ONE));
    }

    /// `x cos + concat(-high half, low half) sin`.
    private Tensor rotate(Tensor heads, Rotary rotary) {
        long half = heads.last() / 2;
        Tensor cosinePart = pass.elementwise(Kind.MULTIPLY, heads.sameShape(), heads, rotary.cosines());
        Tensor low = pass.view(heads, heads.withLast(half));
        Tensor high = pass.view(heads, heads.withLast(heads.last() - half));
        Tensor negated = pass.elementwise(Kind.NEGATE, high.sameShape(), high);
        Tensor swapped = pass.elementwise(Kind.CONCATENATE, heads.sameShape(), negated, low);
        Tensor sinePart = pass.elementwise(Kind.MULTIPLY, heads.sameShape(), swapped, rotary.sines());
        return pass.elementwise(Kind.ADD, heads.sameShape(), cosinePart, sinePart);
    }

    private Tensor attend(List<Tensor> rotated, Tensor value, LayerInputs inputs) {
        List<Tensor> tokensFirst = List.of(rotated.get(0), rotated.get(1), pass.swapMiddle(value));
        List<Tensor> rows = tokensFirst.stream().map(this::rows).toList();
        if (shard.isUncached()) {
            return new UncachedAttention(pass).attend(rows, inputs.mask());
        }
        if (context == null) {
            return attend(rows, inputs);
        }
        Tensor query = rows.getFirst();
        Tensor gathered = context.gather(query, query.withLast(query.last() * context.ranks()));
        Tensor attended = attend(rows, inputs);
        return context.tied(attended, shard.queryHeads(), gathered);
    }

    /// @param rows rows of queries, keys and values, `[S, heads D]`
    private Tensor attend(List<Tensor> rows, LayerInputs inputs) {
        Tensor keyRows = quantize(rows.get(1), inputs, Part.KEY_VALUE);
        Tensor valueRows = quantize(rows.get(2), inputs, Part.KEY_VALUE);
        Tensor cache = shard.cache();
        pass.addEffect(AttentionOperators.reshapeAndCache(
                keyRows, valueRows, cache, inputs.tables().slots()));
        View selected = shard.selectKeysAndValues(cache);
        pass.add(selected);
        Tensor queryRows = quantize(rows.get(0), inputs, Part.QUERY);
        return pass.add(shard.attention(queryRows, selected.results(), inputs));
    }

    private enum Part {
        QUERY,
        KEY_VALUE
    }

    private Tensor quantize(Tensor rows, LayerInputs inputs, Part part) {
        if (!shard.quantizesCache()) {
            return rows;
        }
        Tensor scale = part == Part.QUERY ? inputs.queryScale() : inputs.keyValueScale();
        return pass.add(DeviceOperators.quantize(rows, scale, shard.quantizedForCache(rows)));
    }

    /// `[1, S, heads, D]` as `[S, heads D]`.
    private Tensor rows(Tensor heads) {
        return pass.view(heads, heads.size(1), heads.fixedSize(2) * heads.last());
    }

    @Override
    public GroupedQueryShard shard() {
        return shard;
    }
}
