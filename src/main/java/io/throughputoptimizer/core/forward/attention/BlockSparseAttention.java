package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.BLOCKS_SCORED;
import static io.throughputoptimizer.core.operator.Quantity.BLOCK_TOKENS_ATTENDED;
import static io.throughputoptimizer.core.operator.Quantity.BLOCK_TOKENS_READ;
import static io.throughputoptimizer.core.operator.Quantity.CONTEXT_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.QUERY_CONTEXT_PRODUCT;
import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.EagerLayers;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LayerInputs.RequestTables;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec.BlockIndexer;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.View;
import io.throughputoptimizer.core.operator.attention.Attention;
import io.throughputoptimizer.core.operator.attention.AttentionOperators;
import io.throughputoptimizer.core.operator.attention.BlockAttention;
import io.throughputoptimizer.core.operator.attention.BlockSelection;
import java.util.List;

/// Attention to selected blocks, or to all tokens, compiled or eager: they differ in the projections, the norms,
/// and in how often rotary factors are joined.
final class BlockSparseAttention implements AttentionBlock {
    private final BlockSparseShard shard;
    private final LinearLayers linears;
    private final EagerLayers eager;
    private final PassRecorder pass;

    BlockSparseAttention(BlockSparseShard shard, LinearLayers linears, PassRecorder pass) {
        this.shard = shard;
        this.linears = linears;
        this.eager = new EagerLayers(linears, pass);
        this.pass = pass;
    }

    /// Rotated queries and keys, `[S, heads, D]` each.
    private record Rotated(Tensor query, Tensor key) {}

    @Override
    public Tensor record(Activation input, LayerInputs inputs) {
        LayerScales scales = inputs.scales();
        List<Tensor> projected = shard.isCompiled() ? project(input, scales) : projectEagerly(input, scales);
        Rotated rotated = rotate(projected.get(0), projected.get(1), shard.headSize(), inputs.rotary());
        Tensor cache = shard.cache();
        Tensor slots = inputs.tables().slots();
        pass.addEffect(AttentionOperators.reshapeAndCache(rows(rotated.key()), projected.get(2), cache, slots));
        BlockIndexer indexer = shard.indexer();
        Tensor attended = indexer == null
                ? attendToAll(rotated.query(), cache, inputs.tables())
                : attendToSelected(indexer, rotated.query(), cache, projected.subList(3, 5), inputs);
        return shard.isCompiled()
                ? linears.applyAndReduce(
                        linears.quantize(attended, scales), shard.output(), scales, shard.tensorParallelGroup())
                : eager.linearAndReduce(pass.unflatten(attended), shard.output(), scales, shard.tensorParallelGroup());
    }

    private List<Tensor> project(Activation input, LayerScales scales) {
        List<LinearWeight> weights = shard.projections();
        Tensor merged = linears.apply(input.with(pass.flatten(input.values())), weights, scales);
        return pass.split(
                merged, weights.stream().mapToLong(LinearWeight::outputWidth).toArray());
    }

    private List<Tensor> projectEagerly(Activation input, LayerScales scales) {
        return shard.projections().stream()
                .map(weight -> pass.flatten(eager.linear(input.values(), weight, scales)))
                .toList();
    }

    /// @param query `[S, hq D]`
    /// @param key `[S, hk D]`
    private Rotated rotate(Tensor query, Tensor key, long headSize, Rotary rotary) {
        Tensor queryHeads = normalizedHeads(query, headSize);
        Tensor keyHeads = normalizedHeads(key, headSize);
        Rotated rotated = new Rotated(queryHeads.sameShape(), keyHeads.sameShape());
        pass.add(AttentionOperators.fusedRope(queryHeads, keyHeads, factors(rotary), rotated.query(), rotated.key()));
        return rotated;
    }

    private Tensor normalizedHeads(Tensor projected, long headSize) {
        Tensor heads = pass.view(projected, projected.size(0), projected.last() / headSize, headSize);
        return shard.isCompiled() ? linears.norm(heads) : eager.norm(heads);
    }

    /// Cosines and sines side by side. A compiled graph joins them in the layers that attend to all tokens, which
    /// come first; an eager one before every rotation.
    private Tensor factors(Rotary rotary) {
        Tensor joined = Tensor.half(TOKENS.form(), 2 * rotary.cosines().last());
        boolean known = shard.isCompiled() && shard.indexer() != null;
        return known
                ? joined
                : pass.elementwise(
                        Kind.CONCATENATE, joined, pass.flatten(rotary.cosines()), pass.flatten(rotary.sines()));
    }

    /// The reference hands the heads over unjoined, and so takes them for one.
    private Tensor attendToAll(Tensor query, Tensor cache, RequestTables tables) {
        Tensor queries = shard.pricesAllHeads() ? rows(query) : query;
        List<Tensor> keysAndValues = selectKeysAndValues(cache);
        Tensor attended = pass.add(new Attention(
                queries,
                keysAndValues.get(0),
                keysAndValues.get(1),
                List.of(tables.blocks(), tables.queryStarts(), tables.sequenceLengths(), tables.queryLengths()),
                List.of(),
                new Attention.Load(QUERY_CONTEXT_PRODUCT.form(), CONTEXT_TOKENS.form()),
                queries.sameShape()));
        return shard.pricesAllHeads() ? attended : rows(attended);
    }

    /// @param index projected queries and key of the indexer, `[S, heads D]`
    private Tensor attendToSelected(
            BlockIndexer indexer, Tensor query, Tensor cache, List<Tensor> index, LayerInputs inputs) {
        RequestTables tables = inputs.tables();
        List<Tensor> lengths = List.of(tables.sequenceLengths(), tables.queryLengths(), tables.blocks());
        Rotated rotated = rotate(index.get(0), index.get(1), indexer.headSize(), inputs.rotary());
        Tensor indexCache = shard.indexCache(indexer);
        pass.addEffect(AttentionOperators.cacheIndexKeys(rotated.key(), indexCache, tables.slots()));
        var scored = new BlockSelection.Load(QUERY_CONTEXT_PRODUCT.form(), CONTEXT_TOKENS.form(), BLOCKS_SCORED.form());
        Tensor selected = pass.add(new BlockSelection(
                rotated.query(),
                indexCache,
                lengths,
                scored,
                Tensor.of(DataType.INT32, TOKENS.form(), shard.indexHeads(indexer), indexer.selectedBlocks())));
        List<Tensor> keysAndValues = selectKeysAndValues(cache);
        Tensor queries = rows(query);
        return pass.add(new BlockAttention(
                queries,
                keysAndValues.get(0),
                keysAndValues.get(1),
                selected,
                lengths,
                new BlockAttention.Load(BLOCK_TOKENS_ATTENDED.form(), BLOCK_TOKENS_READ.form()),
                queries.sameShape()));
    }

    private List<Tensor> selectKeysAndValues(Tensor cache) {
        Tensor half = cache.permuted(1, 2, 3, 4);
        View selected = new View(cache, List.of(half, half.sameShape()));
        pass.add(selected);
        return selected.results();
    }

    /// `[S, heads, D]` as `[S, heads D]`.
    private Tensor rows(Tensor heads) {
        return pass.view(heads, heads.size(0), heads.fixedSize(1) * heads.last());
    }

    @Override
    public BlockSparseShard shard() {
        return shard;
    }
}
