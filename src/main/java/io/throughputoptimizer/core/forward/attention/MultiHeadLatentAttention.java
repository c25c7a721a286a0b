package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.BLOCK_ENTRIES_READ;
import static io.throughputoptimizer.core.operator.Quantity.CACHE_TOKENS_READ;
import static io.throughputoptimizer.core.operator.Quantity.DECODE_ATTENDED;
import static io.throughputoptimizer.core.operator.Quantity.DECODE_CONTEXT;
import static io.throughputoptimizer.core.operator.Quantity.DECODE_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.PHASES;
import static io.throughputoptimizer.core.operator.Quantity.PREFILL_ATTENDED;
import static io.throughputoptimizer.core.operator.Quantity.PREFILL_CONTEXT;
import static io.throughputoptimizer.core.operator.Quantity.PREFILL_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.TOKENS;
import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LayerInputs.RequestTables;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.attention.AttentionOperators;
import io.throughputoptimizer.core.operator.attention.LatentAttention;
import io.throughputoptimizer.core.operator.attention.LatentProjection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Multi-head latent attention, with or without a sparse indexer, compiled or eager: they differ in the output's
/// projection alone.
final class MultiHeadLatentAttention implements AttentionBlock {
    /// Tokens attended to and read.
    private static final LatentAttention.Load LOAD = new LatentAttention.Load(
            new LatentAttention.Phase(PREFILL_TOKENS.form(), PREFILL_ATTENDED.form(), PREFILL_CONTEXT.form()),
            new LatentAttention.Phase(DECODE_TOKENS.form(), DECODE_ATTENDED.form(), DECODE_CONTEXT.form()),
            PHASES.form(),
            CACHE_TOKENS_READ.form(),
            BLOCK_ENTRIES_READ.form());

    private final LatentShard shard;
    private final @Nullable ContextExchange context;
    private final boolean leading;
    private final LatestSelection latest;
    private final LinearLayers linears;
    private final EagerLayers eager;
    private final PassRecorder pass;

    /// @param context absent where each rank attends to whole sequences
    /// @param leading whether the layers are like the first: these work out what others use too
    /// @param latest receives the selection and provides it to later layers
    MultiHeadLatentAttention(
            LatentShard shard,
            @Nullable ContextExchange context,
            boolean leading,
            LatestSelection latest,
            LinearLayers linears,
            PassRecorder pass) {
        this.shard = shard;
        this.context = context;
        this.leading = leading;
        this.latest = latest;
        this.linears = linears;
        this.eager = new EagerLayers(linears, pass);
        this.pass = pass;
    }

    @Override
    public Tensor record(Activation input, LayerInputs inputs) {
        LayerScales scales = inputs.scales();
        LatentShard.Weights weights = shard.weights();
        Tensor hidden = input.values();
        LatentProjection.Result projected = project(pass.flatten(hidden), weights, inputs);
        Tensor compressed = pass.unflatten(projected.compressedQuery());
        List<Tensor> selected = select(hidden, compressed, inputs);
        Tensor attended = context == null
                ? attend(projected.query(), projected, inputs.tables().sequenceLengths(), inputs, selected)
                : attendTogether(context, projected, inputs, selected);
        if (!shard.isCompiled()) {
            Tensor values = pass.view(attended, 1, TOKENS.form(), shard.valueWidth());
            return eager.linearAndReduce(values, weights.output(), scales, shard.tensorParallelGroup());
        }
        Activation output = linears.quantize(attended, scales);
        Tensor rows = pass.flatten(pass.view(output.values(), 1, TOKENS.form(), shard.valueWidth()));
        return linears.applyAndReduce(output.with(rows), weights.output(), scales, shard.tensorParallelGroup());
    }

    private LatentProjection.Result project(Tensor hidden, LatentShard.Weights weights, LayerInputs inputs) {
        Rotary rotary = inputs.rotary();
        var spec = shard.spec();
        Form tokens = TOKENS.form();
        var stored = new LatentProjection.Weights(
                weights.queryDown().weight(),
                weights.queryUp().weight(),
                weights.keyValueDown().weight(),
                projectionScales(weights, inputs.scales()));
        var norms = new LatentProjection.Norms(Tensor.half(spec.queryRank()), Tensor.half(spec.keyValueRank()));
        var result = new LatentProjection.Result(
                Tensor.half(tokens, shard.heads(), spec.head().query()),
                Tensor.half(tokens, spec.keyValueRank()),
                Tensor.half(tokens, spec.head().rotated()),
                Tensor.half(tokens, spec.queryRank()));
        pass.add(new LatentProjection(hidden, rotary.cosines(), rotary.sines(), stored, norms, result));
        return result;
    }

    private List<Tensor> projectionScales(LatentShard.Weights weights, LayerScales scales) {
        if (!linears.isQuantized()) {
            return List.of();
        }
        return Stream.of(weights.queryDown(), weights.queryUp(), weights.keyValueDown())
                .map(weight -> weight.blockScale() == null ? requireNonNull(scales.weight()) : weight.blockScale())
                .toList();
    }

    /// Tokens attended to, where they are selected: by the layer's own indexer, or by that of a layer before.
    private List<Tensor> select(Tensor hidden, Tensor compressed, LayerInputs inputs) {
        if (!shard.selects()) {
            return List.of();
        }
        return List.of(shard.indexer()
                .map(indexer -> latest.keep(pass.add(indexer.operator(hidden, compressed, inputs))))
                .orElseGet(latest::latest));
    }

    /// With the heads of all ranks over this one's part of the sequences; `[S, a, dv]` of its own heads.
    private Tensor attendTogether(
            ContextExchange context, LatentProjection.Result projected, LayerInputs inputs, List<Tensor> selected) {
        Tensor own = projected.query();
        long heads = shard.heads();
        Tensor gathered = context.gather(own, Tensor.half(TOKENS.form(), heads * context.ranks(), own.last()));
        Tensor lengths = inputs.tables().sequenceLengths();
        Tensor shares = leading ? context.share(lengths) : lengths;
        Tensor attended = attend(gathered, projected, shares, inputs, selected);
        Tensor exchanged = context.exchange(attended, heads, attended.last());
        Tensor byRank = pass.view(attended, TOKENS.form(), context.ranks(), heads, attended.last());
        Tensor part = pass.view(byRank, TOKENS.form(), heads, attended.last());
        return context.tied(pass.elementwise(Kind.CLONE, part.sameShape(), part), exchanged);
    }

    /// @param queries `[S, heads, d]`
    /// @param lengths tokens of each request to attend to, `[B]`
    private Tensor attend(
            Tensor queries,
            LatentProjection.Result projected,
            Tensor lengths,
            LayerInputs inputs,
            List<Tensor> selected) {
        RequestTables tables = inputs.tables();
        Tensor cache = shard.cache();
        Tensor query = queries;
        Tensor keyValue = projected.keyValue();
        Tensor rotatedKey = projected.rotatedKey();
        if (shard.quantizesCache()) {
            query = quantize(query, inputs.queryScale());
            keyValue = quantize(keyValue, inputs.keyValueScale());
            rotatedKey = quantize(rotatedKey, inputs.keyValueScale());
        }
        pass.addEffect(AttentionOperators.concatAndCache(keyValue, rotatedKey, cache, tables.slots()));
        List<Tensor> unfolding = shard.unfolding();
        return pass.add(new LatentAttention(
                query,
                cache,
                new LatentAttention.Weights(
                        unfolding.get(0), unfolding.get(1), unfolding.get(2), shard.cacheScales(inputs)),
                new LatentAttention.Tables(
                        List.of(tables.queryStarts(), lengths, tables.queryLengths()), tables.blocks(), selected),
                LOAD,
                Tensor.half(
                        TOKENS.form(), queries.fixedSize(1), shard.spec().head().value())));
    }

    private Tensor quantize(Tensor input, Tensor scale) {
        return pass.add(DeviceOperators.quantize(input, scale, input.as(shard.cacheType())));
    }

    @Override
    public boolean takesQuantized() {
        return false;
    }

    @Override
    public LatentShard shard() {
        return shard;
    }
}
