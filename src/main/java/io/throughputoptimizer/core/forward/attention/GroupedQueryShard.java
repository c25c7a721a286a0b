package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.CACHE_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.CONTEXT_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.QUERY_CONTEXT_PRODUCT;
import static io.throughputoptimizer.core.operator.Quantity.RECENT_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.RECENT_PRODUCT;
import static io.throughputoptimizer.core.operator.Quantity.RECENT_TOKENS;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LayerInputs.RequestTables;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.SandwichNorms;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.View;
import io.throughputoptimizer.core.operator.attention.Attention;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One rank's share of grouped-query attention, the same for compiled and eager graphs.
///
/// Query heads divide over the tensor parallel group. Key-value heads divide too, or, when there are fewer
/// than ranks, each rank holds exactly one. The projections of draft layers, and those that the reference finds joined
/// in one weight, are on every rank, but for the output's.
final class GroupedQueryShard implements AttentionShard {
    /// Scales of a quantized cache: queries, keys with values, probabilities.
    private static final int SCALES = 3;

    private final AttentionSpec.GroupedQuery spec;
    private final long hiddenSize;
    private final int tp;
    /// Ranks that share the heads: all of the group, or this one alone.
    private final int headRanks;

    private final boolean swapsBeforeNorm;
    /// True if attention receives neither the cache nor the request lengths.
    private final boolean uncached;
    private final AttentionQuantization quantization;
    private final LinearLayers linears;

    private GroupedQueryShard(
            Deployment deployment, AttentionSpec.GroupedQuery spec, int headRanks, LinearLayers linears) {
        this.spec = spec;
        this.hiddenSize = deployment.model().hiddenSize();
        this.tp = deployment.layout().tp();
        this.headRanks = headRanks;
        this.uncached = deployment.forgetsContext();
        this.swapsBeforeNorm = deployment.model().connections() instanceof SandwichNorms;
        this.quantization = deployment.quantization().attention();
        this.linears = linears;
    }

    static GroupedQueryShard of(Deployment deployment, AttentionSpec.GroupedQuery spec, LinearLayers linears) {
        boolean whole = spec.joined() && deployment.execution().accounting() == PassAccounting.DOCUMENTED;
        return new GroupedQueryShard(
                deployment, spec, whole ? 1 : deployment.layout().tp(), linears);
    }

    static GroupedQueryShard ofDrafts(Deployment deployment, AttentionSpec.GroupedQuery spec, LinearLayers linears) {
        return new GroupedQueryShard(deployment, spec, 1, linears);
    }

    /// Weights of one layer.
    ///
    /// @param value absent where values are keys
    /// @param joined queries', keys' and values' as one; absent where each is a weight of its own
    record Weights(
            LinearWeight query,
            LinearWeight key,
            @Nullable LinearWeight value,
            LinearWeight output,
            @Nullable LinearWeight joined) {
        double bytes() {
            return query.bytes() + key.bytes() + (value == null ? 0 : value.bytes()) + output.bytes();
        }
    }

    long queryHeads() {
        return spec.queryHeads() / headRanks;
    }

    long keyValueHeads() {
        return Math.max(1, spec.keyValueHeads() / headRanks);
    }

    private long cachedHeads() {
        return Math.max(1, spec.keyValueHeads() / tp);
    }

    long headSize() {
        return spec.headSize();
    }

    /// Elements of a value.
    long valueSize() {
        return spec.valueSize();
    }

    long valueWidth() {
        return keyValueHeads() * valueSize();
    }

    long queryWidth() {
        return queryHeads() * headSize();
    }

    long keyWidth() {
        return keyValueHeads() * headSize();
    }

    boolean gatesOutput() {
        return spec.gatesOutput();
    }

    /// Width of the queries' projection, gates of the output included.
    long projectedQueryWidth() {
        return gatesOutput() ? 2 * queryWidth() : queryWidth();
    }

    AttentionSpec.HeadNorm headNorm() {
        return spec.headNorm();
    }

    boolean normalizesValues() {
        return headNorm() == AttentionSpec.HeadNorm.PER_HEAD_AND_VALUE;
    }

    /// Returns whether heads are normalized as `[1, heads, S, D]`, else as `[1, S, heads, D]`.
    boolean swapsBeforeNorm() {
        return swapsBeforeNorm;
    }

    boolean isUncached() {
        return uncached;
    }

    boolean quantizesCache() {
        return quantization.isEnabled();
    }

    ProcessGroup tensorParallelGroup() {
        return ProcessGroup.contiguous(tp);
    }

    /// New weights. MXFP4 scales of replicated key-value heads are still divided over the group.
    Weights weights() {
        long blocks = linears.blocks(hiddenSize);
        long queryRows = projectedQueryWidth();
        long keyRows = Math.ceilDiv(spec.keyValueHeads() * headSize(), headRanks);
        long valueRows = Math.ceilDiv(spec.keyValueHeads() * valueSize(), headRanks);
        long outputWidth = spec.queryHeads() / tp * valueSize();
        long outputColumns = Math.ceilDiv(linears.blocks(spec.queryHeads() * valueSize()), tp);
        boolean bias = spec.queryKeyValueBias();
        return new Weights(
                linears.weight(
                        hiddenSize, projectedQueryWidth(), new LinearLayers.BlockScaleShape(queryRows, blocks), bias),
                linears.weight(hiddenSize, keyWidth(), new LinearLayers.BlockScaleShape(keyRows, blocks), bias),
                spec.takesKeysAsValues()
                        ? null
                        : linears.weight(
                                hiddenSize, valueWidth(), new LinearLayers.BlockScaleShape(valueRows, blocks), bias),
                linears.weight(
                        outputWidth,
                        hiddenSize,
                        new LinearLayers.BlockScaleShape(hiddenSize, outputColumns),
                        spec.outputBias()),
                spec.joined()
                        ? linears.weight(
                                hiddenSize,
                                projectedQueryWidth() + keyWidth() + valueWidth(),
                                new LinearLayers.BlockScaleShape(queryRows + keyRows + valueRows, blocks),
                                bias)
                        : null);
    }

    /// Weights and norms of one layer, and where a class of the checkpoint's own was split the weights that it came
    /// with, which no pass reads.
    @Override
    public double weightBytes() {
        double norms = switch (headNorm()) {
            case NONE -> 0;
            case PER_HEAD, PER_HEAD_AND_VALUE -> 2 * headSize();
            case ACROSS_HEADS -> queryWidth() + keyWidth();
        };
        return weights().bytes() + DataType.FLOAT16.bytes(norms) + (uncached ? originalBytes() : 0);
    }

    private double originalBytes() {
        long projected = (spec.queryHeads() + spec.keyValueHeads()) * headSize() + spec.keyValueHeads() * valueSize();
        return linears.weight(hiddenSize, projected).bytes()
                + linears.weight(spec.queryHeads() * valueSize(), hiddenSize).bytes();
    }

    /// `hk (D + Dv)` elements in the cache's type.
    @Override
    public double cacheBytesPerToken() {
        return quantization.cacheType().bytes((double) cachedHeads() * (headSize() + valueSize()));
    }

    /// Returns the bytes of the cache; with a window, only of the tokens attended to.
    @Override
    public Form cacheBytes() {
        return blocks().times(cacheBytesPerToken() * AttentionBlock.BLOCK_TOKENS);
    }

    private Form blocks() {
        return spec.slides() ? RECENT_BLOCKS.form() : CACHE_BLOCKS.form();
    }

    @Override
    public List<Tensor> weightsSeenAgain() {
        return List.of();
    }

    /// A new cache of one layer, `[2, blocks, 128, hk, D]`, or `[blocks, 128, hk, D + Dv]` where values have another
    /// size.
    Tensor cache() {
        if (spec.valuesDiffer()) {
            return part(headSize() + valueSize());
        }
        return Tensor.of(quantization.cacheType(), 2, blocks(), AttentionBlock.BLOCK_TOKENS, cachedHeads(), headSize());
    }

    /// The key half and the value half of the cache.
    View selectKeysAndValues(Tensor whole) {
        if (spec.valuesDiffer()) {
            return new View(whole, List.of(part(headSize()), part(valueSize())));
        }
        Tensor half = whole.permuted(1, 2, 3, 4);
        return new View(whole, List.of(half, half.sameShape()));
    }

    private Tensor part(long width) {
        return Tensor.of(quantization.cacheType(), blocks(), AttentionBlock.BLOCK_TOKENS, cachedHeads(), width);
    }

    Tensor quantizedForCache(Tensor input) {
        return input.as(quantization.cacheType());
    }

    /// Attention of `query` `[S, hq D]` over the cache, with a result `[S, hq Dv]`.
    Attention attention(Tensor query, List<Tensor> keysAndValues, LayerInputs inputs) {
        RequestTables tables = inputs.tables();
        return new Attention(
                query,
                keysAndValues.get(0),
                keysAndValues.get(1),
                List.of(tables.blocks(), tables.queryStarts(), tables.sequenceLengths(), tables.queryLengths()),
                inputs.cacheScales().stream().limit(SCALES).toList(),
                load(),
                query.withLast(queryHeads() * valueSize()).as(DataType.FLOAT16));
    }

    /// Sinks, a number for each query head, add to the sum of a softmax: no work or read is counted for them.
    private Attention.Load load() {
        return spec.slides()
                ? new Attention.Load(RECENT_PRODUCT.form(), RECENT_TOKENS.form())
                : new Attention.Load(QUERY_CONTEXT_PRODUCT.form(), CONTEXT_TOKENS.form());
    }
}
