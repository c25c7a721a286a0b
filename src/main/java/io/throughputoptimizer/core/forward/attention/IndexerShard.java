package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.CACHE_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.INDEX_TOKENS_READ;
import static io.throughputoptimizer.core.operator.Quantity.LONGEST_SEQUENCE;
import static io.throughputoptimizer.core.operator.Quantity.SELECTED_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LayerInputs.RequestTables;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.attention.SparseIndexer;
import java.util.List;

/// The sparse indexer of a layer: the same, and whole, on every rank.
final class IndexerShard {
    /// Cached elements that share a scale of 4 bytes on an FP8 cache.
    private static final long SCALE_BLOCK = 128;

    private final AttentionSpec.Indexer spec;
    private final LatentShard attention;
    private final long hiddenSize;
    private final LinearLayers linears;

    IndexerShard(AttentionSpec.Indexer spec, LatentShard attention, long hiddenSize, LinearLayers linears) {
        this.spec = spec;
        this.attention = attention;
        this.hiddenSize = hiddenSize;
        this.linears = linears;
    }

    /// @param hidden `[1, S, h]`
    /// @param compressedQuery `[1, S, q]`
    SparseIndexer operator(Tensor hidden, Tensor compressedQuery, LayerInputs inputs) {
        RequestTables tables = inputs.tables();
        Tensor cache =
                Tensor.of(attention.cacheType(), CACHE_BLOCKS.form(), AttentionBlock.BLOCK_TOKENS, spec.headSize());
        var weights = new SparseIndexer.Weights(
                queryWeight().weight(), keyWeight().weight(), headWeight().weight(), Tensor.half(spec.headSize()));
        var load = new SparseIndexer.Load(LONGEST_SEQUENCE.form(), INDEX_TOKENS_READ.form(), cacheScaleBytes());
        return new SparseIndexer(
                hidden,
                compressedQuery,
                List.of(inputs.rotary().cosines(), inputs.rotary().sines()),
                cache,
                List.of(tables.slots(), tables.blocks(), tables.sequenceLengths(), tables.queryLengths()),
                weights,
                load,
                selection());
    }

    /// The tokens that each token attends to, `[S, k]`.
    static Tensor selection() {
        return Tensor.of(DataType.INT64, TOKENS.form(), SELECTED_TOKENS.form());
    }

    private double cacheScaleBytes() {
        boolean scaled = attention.cacheType() == DataType.FLOAT8_E4M3;
        return scaled ? DataType.FLOAT32.bytes(Math.ceilDiv(spec.headSize(), SCALE_BLOCK)) : 0;
    }

    private LinearWeight queryWeight() {
        return linears.weight(attention.spec().queryRank(), (long) spec.heads() * spec.headSize());
    }

    private LinearWeight keyWeight() {
        return linears.weight(hiddenSize, spec.headSize());
    }

    private LinearWeight headWeight() {
        return linears.weight(hiddenSize, spec.heads());
    }

    /// Projections, and weight and bias of the norm, of one layer.
    double weightBytes() {
        return queryWeight().bytes()
                + keyWeight().bytes()
                + headWeight().bytes()
                + 2 * DataType.FLOAT16.bytes(spec.headSize());
    }

    /// One key in the cache's type.
    double cacheBytesPerToken() {
        return attention.cacheType().bytes(spec.headSize());
    }
}
