package io.throughputoptimizer.core.forward.attention;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.View;
import io.throughputoptimizer.core.operator.attention.AttentionOperators;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Grouped-query attention in a compiled graph: one merged projection, fused norms and rotation.
///
/// Under MXFP4 only projections with equal scale shapes merge: all three, or keys with values and the queries
/// by themselves.
final class CompiledGroupedQueryAttention implements AttentionBlock {
    private final GroupedQueryShard shard;
    private final @Nullable SteppedRotation steps;
    private final @Nullable ContextExchange context;
    private final LinearLayers linears;
    private final PassRecorder pass;

    /// @param steps absent where the rotation is one operator
    /// @param context absent where each rank attends to whole sequences
    CompiledGroupedQueryAttention(
            GroupedQueryShard shard,
            @Nullable SteppedRotation steps,
            @Nullable ContextExchange context,
            LinearLayers linears,
            PassRecorder pass) {
        this.shard = shard;
        this.steps = steps;
        this.context = context;
        this.linears = linears;
        this.pass = pass;
    }

    private record Heads(Tensor query, Tensor key, Tensor value) {}

    /// @param gate gate of the output, `[S, hq D]`; null without one
    private record Projected(Heads heads, @Nullable Tensor gate) {}

    @Override
    public Tensor record(Activation input, LayerInputs inputs) {
        LayerScales scales = inputs.scales();
        GroupedQueryShard.Weights weights = shard.weights();
        Activation flat = input.with(pass.flatten(input.values()));
        Projected projected = project(flat, weights, scales);
        Tensor attended = attend(rotate(projected.heads(), inputs.rotary()), inputs);
        Tensor gated = projected.gate() == null ? attended : new OutputGating(pass).apply(attended, projected.gate());
        Activation output = linears.quantize(gated, scales);
        Tensor rows = pass.flatten(pass.unflatten(output.values()));
        return linears.applyAndReduce(output.with(rows), weights.output(), scales, shard.tensorParallelGroup());
    }

    private Projected project(Activation input, GroupedQueryShard.Weights weights, LayerScales scales) {
        LinearWeight query = weights.query();
        LinearWeight key = weights.key();
        LinearWeight joined = weights.joined();
        LinearWeight value = weights.value();
        if (value == null) {
            return keysAsValues(input, query, key, scales);
        }
        long keyWidth = shard.keyWidth();
        long valueWidth = shard.valueWidth();
        boolean paired = merge(key, value);
        if (joined != null || (paired && merge(query, key))) {
            List<LinearWeight> all = joined == null ? List.of(query, key, value) : List.of(joined);
            Tensor merged = linears.apply(input, all, scales);
            List<Tensor> parts = pass.split(merged, shard.projectedQueryWidth(), keyWidth, valueWidth);
            Queries queries = queries(parts.get(0));
            Heads heads =
                    new Heads(normalizedHeads(queries.query()), normalizedHeads(parts.get(1)), values(parts.get(2)));
            return new Projected(heads, queries.gate());
        }
        Queries queries = queries(linears.apply(input, List.of(query), scales));
        Tensor queryHeads = normalizedHeads(queries.query());
        List<Tensor> parts = paired
                ? pass.split(linears.apply(input, List.of(key, value), scales), keyWidth, valueWidth)
                : Stream.of(key, value)
                        .map(weight -> linears.apply(input, List.of(weight), scales))
                        .toList();
        Heads heads = new Heads(queryHeads, normalizedHeads(parts.get(0)), values(parts.get(1)));
        return new Projected(heads, queries.gate());
    }

    private Projected keysAsValues(Activation input, LinearWeight query, LinearWeight key, LayerScales scales) {
        List<Tensor> parts = merge(query, key)
                ? pass.split(
                        linears.apply(input, List.of(query, key), scales),
                        shard.projectedQueryWidth(),
                        shard.keyWidth())
                : Stream.of(query, key)
                        .map(weight -> linears.apply(input, List.of(weight), scales))
                        .toList();
        Queries queries = queries(parts.get(0));
        Heads heads = new Heads(normalizedHeads(queries.query()), normalizedHeads(parts.get(1)), values(parts.get(1)));
        return new Projected(heads, queries.gate());
    }

    private static boolean merge(LinearWeight one, LinearWeight other) {
        return one.blockScale() == null || one.blockScale().hasShapeOf(requireNonNull(other.blockScale()));
    }

    /// Values `[1, hk, S, Dv]` of `[S, hk Dv]`.
    private Tensor values(Tensor projected) {
        Tensor heads = pass.swapMiddle(heads(pass.unflatten(projected), shard.valueSize()));
        return shard.normalizesValues() ? linears.bareNorm(heads) : heads;
    }

    /// @param query `[S, hq D]`
    /// @param gate gate of the output, `[S, hq D]`; null without one
    private record Queries(Tensor query, @Nullable Tensor gate) {}

    /// Queries and gates, which a projection yields head by head.
    private Queries queries(Tensor projected) {
        if (!shard.gatesOutput()) {
            return new Queries(projected, null);
        }
        List<Tensor> halves = pass.split(projected, shard.queryWidth(), shard.queryWidth());
        return new Queries(halves.get(0), new OutputGating(pass).gate(halves.get(1), shard.queryHeads()));
    }

    /// `[1, S, heads D]` as `[1, S, heads, D]`.
    private Tensor heads(Tensor batched) {
        return heads(batched, shard.headSize());
    }

    private Tensor heads(Tensor batched, long size) {
        return pass.view(batched, 1, batched.size(1), batched.last() / size, size);
    }

    /// Heads after their norm, if they have one, as `[1, heads, S, D]`. Models with norms across heads could rotate a
    /// part of each head, and do so through a view that shows all of it.
    private Tensor normalizedHeads(Tensor projected) {
        Tensor batched = pass.unflatten(projected);
        return switch (shard.headNorm()) {
            case NONE -> pass.swapMiddle(heads(batched));
            case PER_HEAD, PER_HEAD_AND_VALUE ->
                shard.swapsBeforeNorm()
                        ? linears.norm(pass.swapMiddle(heads(batched)))
                        : pass.swapMiddle(linears.norm(heads(batched)));
            case ACROSS_HEADS -> {
                Tensor heads = pass.swapMiddle(heads(linears.norm(batched)));
                yield pass.view(heads, heads.sameShape());
            }
        };
    }

    /// Rotated queries and keys `[1, S, heads, D]`; values stay `[1, hk, S, D]`.
    private Heads rotate(Heads heads, Rotary rotary) {
        if (steps != null) {
            List<Tensor> rotated = steps.turn(heads.query(), heads.key(), rotary);
            return new Heads(rotated.get(0), rotated.get(1), heads.value());
        }
        Tensor key = Tensor.half(1, heads.key().size(2), shard.keyValueHeads(), shard.headSize());
        Tensor query = Tensor.half(1, heads.query().size(2), shard.queryHeads(), shard.headSize());
        pass.add(
                AttentionOperators.applyRope(heads.key(), heads.query(), rotary.cosines(), rotary.sines(), key, query));
        return new Heads(query, key, heads.value());
    }

    private Tensor attend(Heads heads, LayerInputs inputs) {
        if (shard.isUncached()) {
            Tensor values = pass.swapMiddle(heads.value());
            List<Tensor> all = List.of(rows(heads.query()), rows(heads.key()), rows(values));
            return new UncachedAttention(pass).attend(all, inputs.mask());
        }
        if (context == null) {
            return attend(heads, null, inputs);
        }
        Tensor query = rows(heads.query());
        Tensor gathered = context.gather(query, query.withLast(query.last() * context.ranks()));
        Tensor attended = attend(heads, query, inputs);
        return context.tied(attended, shard.queryHeads(), gathered);
    }

    /// @param queryRows the queries as `[S, hq D]`, where they were looked at like that before
    private Tensor attend(Heads heads, @Nullable Tensor queryRows, LayerInputs inputs) {
        Tensor query;
        Tensor key;
        Tensor value;
        if (shard.quantizesCache()) {
            query = queryRows == null
                    ? rows(quantize(heads.query(), inputs.queryScale()))
                    : quantize(queryRows, inputs.queryScale());
            key = rows(quantize(heads.key(), inputs.keyValueScale()));
            value = rows(quantize(pass.swapMiddle(heads.value()), inputs.keyValueScale()));
        } else {
            Tensor values = pass.swapMiddle(heads.value());
            query = queryRows == null ? rows(heads.query()) : queryRows;
            key = rows(heads.key());
            value = rows(values);
        }
        Tensor cache = shard.cache();
        pass.addEffect(AttentionOperators.reshapeAndCache(
                key, value, cache, inputs.tables().slots()));
        return pass.add(shard.attention(query, selectKeysAndValues(cache), inputs));
    }

    private List<Tensor> selectKeysAndValues(Tensor cache) {
        View selected = shard.selectKeysAndValues(cache);
        pass.add(selected);
        return selected.results();
    }

    private Tensor quantize(Tensor input, Tensor scale) {
        return pass.add(DeviceOperators.quantize(input, scale, shard.quantizedForCache(input)));
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
