package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.SparseIndexer;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// The sparse indexer of a layer: the same, and whole, on every rank.
final class IndexerShard {
    /// Cached elements that share a scale of 4 bytes on an FP8 cache.
    private static final long SCALE_BLOCK = 128;

    private static final double PREFILL_EFFICIENCY = 0.90;
    /// A prefill request rereads the cache once for this many tokens.
    private static final double PREFILL_TOKENS_PER_READ = 4;

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
    SparseIndexer operator(Tensor hidden, Tensor compressedQuery, LayerInputs inputs, RankBatch batch) {
        RequestTables tables = inputs.tables();
        Tensor cache = Tensor.of(attention.cacheType(), batch.cacheBlocks(), RankBatch.BLOCK_TOKENS, spec.headSize());
        var weights = new SparseIndexer.Weights(
                queryWeight().weight(), keyWeight().weight(), headWeight().weight(), Tensor.half(spec.headSize()));
        var load = new SparseIndexer.Load(batch.longestSequence(), cacheTokensRead(batch), cacheScaleBytes());
        return new SparseIndexer(
                hidden,
                compressedQuery,
                List.of(inputs.rotary().cosines(), inputs.rotary().sines()),
                cache,
                List.of(tables.slots(), tables.blocks(), tables.sequenceLengths(), tables.queryLengths()),
                weights,
                load,
                Tensor.of(DataType.INT64, batch.tokens(), selectedTokens(batch.longestSequence())));
    }

    /// Most tokens that one query attends to in a sequence.
    long selectedTokens(long sequenceLength) {
        return Math.min(spec.selectedTokens(), sequenceLength);
    }

    /// With `u` reads of `s` tokens for each request, divided by the efficiency of the access: decode reads once a
    /// token, at `0.30 + 0.23 log2(pages / 128)` within [0.15, 1]; prefill once every four tokens, at 0.90.
    private double cacheTokensRead(RankBatch batch) {
        return batch.sum(request -> {
            double reads = request.decode()
                    ? request.queryLength()
                    : Math.ceil(request.queryLength() / PREFILL_TOKENS_PER_READ);
            double efficiency = request.decode() ? decodeEfficiency(request.sequenceLength()) : PREFILL_EFFICIENCY;
            return reads * request.sequenceLength() / efficiency;
        });
    }

    private static double decodeEfficiency(long sequenceLength) {
        double pages = Math.ceilDiv(sequenceLength, RankBatch.BLOCK_TOKENS);
        return Math.clamp(0.30 + 0.23 * (Math.log(pages / 128) / Math.log(2)), 0.15, 1);
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
