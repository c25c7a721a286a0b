package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.Attention;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.View;
import java.util.List;
import java.util.stream.Stream;

/// One rank's share of grouped-query attention, the same for compiled and eager graphs.
///
/// Query heads divide over the tensor parallel group. Key-value heads divide too, or, when there are fewer
/// than ranks, each rank holds exactly one.
final class GroupedQueryShard {
    private final AttentionSpec.GroupedQuery spec;
    private final long hiddenSize;
    private final int tp;
    private final AttentionQuantization quantization;
    private final LinearLayers linears;

    GroupedQueryShard(Deployment deployment, AttentionSpec.GroupedQuery spec, LinearLayers linears) {
        this.spec = spec;
        this.hiddenSize = deployment.model().hiddenSize();
        this.tp = deployment.layout().tp();
        this.quantization = deployment.quantization().attention();
        this.linears = linears;
    }

    /// Weights of one layer.
    record Weights(LinearWeight query, LinearWeight key, LinearWeight value, LinearWeight output) {
        double bytes() {
            return query.bytes() + key.bytes() + value.bytes() + output.bytes();
        }
    }

    /// What one layer keeps about the requests: its cache, where new tokens go, and the tables.
    ///
    /// @param cache `[2, blocks, 128, hk, D]`
    /// @param slots `[S]`
    /// @param tables block table, query starts, sequence lengths, query lengths
    /// @param scales of a quantized cache: queries, keys and values, probabilities; else empty
    record Cache(Tensor cache, Tensor slots, List<Tensor> tables, List<Tensor> scales) {
        Tensor queryScale() {
            return scales.get(0);
        }

        /// Keys and values share one scale; the third belongs to the attention probabilities.
        Tensor keyValueScale() {
            return scales.get(1);
        }
    }

    long queryHeads() {
        return spec.queryHeads() / tp;
    }

    long keyValueHeads() {
        return Math.max(1, spec.keyValueHeads() / tp);
    }

    long headSize() {
        return spec.headSize();
    }

    long queryWidth() {
        return queryHeads() * headSize();
    }

    long keyValueWidth() {
        return keyValueHeads() * headSize();
    }

    AttentionSpec.HeadNorm headNorm() {
        return spec.headNorm();
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
        long queryRows = Math.ceilDiv((long) spec.queryHeads() * headSize(), tp);
        long keyValueRows = Math.ceilDiv((long) spec.keyValueHeads() * headSize(), tp);
        long outputColumns = Math.ceilDiv(linears.blocks((long) spec.queryHeads() * headSize()), tp);
        boolean bias = spec.queryKeyValueBias();
        var keyValueScales = new LinearLayers.BlockScaleShape(keyValueRows, blocks);
        return new Weights(
                linears.weight(hiddenSize, queryWidth(), new LinearLayers.BlockScaleShape(queryRows, blocks), bias),
                linears.weight(hiddenSize, keyValueWidth(), keyValueScales, bias),
                linears.weight(hiddenSize, keyValueWidth(), keyValueScales, bias),
                linears.weight(
                        queryWidth(),
                        hiddenSize,
                        new LinearLayers.BlockScaleShape(hiddenSize, outputColumns),
                        spec.outputBias()));
    }

    /// Weights and norms of one layer.
    double weightBytes() {
        double norms = switch (headNorm()) {
            case NONE -> 0;
            case PER_HEAD -> 2 * headSize();
            case ACROSS_HEADS -> queryWidth() + keyValueWidth();
        };
        return weights().bytes() + DataType.FLOAT16.bytes(norms);
    }

    /// `2 hk D` elements in the cache's type.
    double cacheBytesPerToken() {
        return quantization.cacheType().bytes(2.0 * keyValueHeads() * headSize());
    }

    Cache cache(RankBatch batch) {
        long requests = batch.requests();
        return new Cache(
                Tensor.of(
                        quantization.cacheType(),
                        2,
                        batch.cacheBlocks(),
                        RankBatch.BLOCK_TOKENS,
                        keyValueHeads(),
                        headSize()),
                Tensor.of(DataType.INT64, batch.tokens()),
                List.of(
                        Tensor.of(DataType.INT64, requests, batch.longestBlocks()),
                        Tensor.of(DataType.INT64, requests + 1),
                        Tensor.of(DataType.INT64, requests),
                        Tensor.of(DataType.INT64, requests)),
                quantizesCache() ? Stream.generate(LayerScales::scalar).limit(3).toList() : List.of());
    }

    /// The key half and the value half of the cache.
    View selectKeysAndValues(Cache cache) {
        Tensor whole = cache.cache();
        long[] half = {whole.size(1), whole.size(2), whole.size(3), whole.size(4)};
        return new View(whole, List.of(Tensor.of(whole.type(), half), Tensor.of(whole.type(), half)));
    }

    Tensor quantizedForCache(Tensor input) {
        return input.as(quantization.cacheType());
    }

    /// Attention of `query` `[S, hq D]` over the cache.
    Attention attention(Tensor query, List<Tensor> keysAndValues, Cache cache, RankBatch batch) {
        return new Attention(
                query,
                keysAndValues.get(0),
                keysAndValues.get(1),
                cache.tables(),
                cache.scales(),
                new Attention.Load(batch.queryContextProduct(), batch.contextTokens()),
                query.as(DataType.FLOAT16));
    }
}
