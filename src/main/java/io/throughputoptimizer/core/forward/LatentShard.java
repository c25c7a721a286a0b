package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// One rank's share of multi-head latent attention. Heads divide over the tensor parallel group; the down
/// projections, the cache and the sparse indexer are on every rank.
final class LatentShard {
    private static final int CACHE_SCALES = 7;

    private final AttentionSpec.MultiHeadLatent spec;
    private final long hiddenSize;
    private final int tp;
    private final AttentionQuantization quantization;
    private final LinearLayers linears;

    LatentShard(Deployment deployment, AttentionSpec.MultiHeadLatent spec, LinearLayers linears) {
        this.spec = spec;
        this.hiddenSize = deployment.model().hiddenSize();
        this.tp = deployment.layout().tp();
        this.quantization = deployment.quantization().attention();
        this.linears = linears;
    }

    /// Weights of one layer.
    ///
    /// @param keyValueUp from compressed to full keys and values; passes use it in other forms
    record Weights(
            LinearWeight queryDown,
            LinearWeight queryUp,
            LinearWeight keyValueDown,
            LinearWeight keyValueUp,
            LinearWeight output) {
        double bytes() {
            return queryDown.bytes() + queryUp.bytes() + keyValueDown.bytes() + keyValueUp.bytes() + output.bytes();
        }
    }

    /// What one layer keeps about the requests.
    ///
    /// @param cache `[blocks, 128, c + r]`
    /// @param slots `[S]`
    /// @param requests query starts, sequence lengths, query lengths
    /// @param blockTable `[B, blocks of the longest request]`
    record Cache(Tensor cache, Tensor slots, List<Tensor> requests, Tensor blockTable) {}

    AttentionSpec.MultiHeadLatent spec() {
        return spec;
    }

    long heads() {
        return spec.heads() / tp;
    }

    long queryWidth() {
        return heads() * spec.head().query();
    }

    long valueWidth() {
        return heads() * spec.head().value();
    }

    ProcessGroup tensorParallelGroup() {
        return ProcessGroup.contiguous(tp);
    }

    boolean quantizesCache() {
        return quantization.isEnabled();
    }

    DataType cacheType() {
        return quantization.cacheType();
    }

    Weights weights() {
        long unfolded = heads() * (spec.head().plain() + spec.head().value());
        return new Weights(
                linears.weight(hiddenSize, spec.queryRank()),
                linears.weight(spec.queryRank(), queryWidth()),
                linears.weight(hiddenSize, spec.entryWidth()),
                linears.weight(spec.keyValueRank(), unfolded),
                linears.weight(valueWidth(), hiddenSize));
    }

    /// The projection from compressed to full keys and values as passes use it, in the cache's type: split in two
    /// for decoding, in one for prefill, with the scales of a quantized cache beside it.
    List<Tensor> unfolding() {
        long rank = spec.keyValueRank();
        long plain = spec.head().plain();
        long value = spec.head().value();
        return List.of(
                Tensor.of(cacheType(), heads(), plain, rank),
                Tensor.of(cacheType(), heads(), rank, value),
                Tensor.of(cacheType(), rank, heads() * (plain + value)));
    }

    /// Scales that attention on a quantized cache reads: seven scalars and that of the key-value projection, which
    /// under MXFP4 are the blocks of all heads, not of this rank's.
    List<Tensor> cacheScales() {
        if (!quantizesCache()) {
            return List.of();
        }
        List<Tensor> scales = new ArrayList<>(
                Stream.generate(LayerScales::scalar).limit(CACHE_SCALES).toList());
        long unfolded = (long) spec.heads() * (spec.head().plain() + spec.head().value());
        scales.add(
                linears.isBlockScaled()
                        ? Tensor.of(DataType.FLOAT8_E8M0, unfolded, linears.blocks(spec.keyValueRank()))
                        : LayerScales.scalar());
        return scales;
    }

    Cache cache(RankBatch batch) {
        long requests = batch.requests();
        return new Cache(
                Tensor.of(cacheType(), batch.cacheBlocks(), RankBatch.BLOCK_TOKENS, spec.entryWidth()),
                Tensor.of(DataType.INT64, batch.tokens()),
                List.of(
                        Tensor.of(DataType.INT64, requests + 1),
                        Tensor.of(DataType.INT64, requests),
                        Tensor.of(DataType.INT64, requests)),
                Tensor.of(DataType.INT64, requests, batch.longestBlocks()));
    }

    /// Projections and the two inner norms of one layer.
    double weightBytes() {
        return weights().bytes() + DataType.FLOAT16.bytes((double) spec.queryRank() + spec.keyValueRank());
    }

    /// One entry in the cache's type, on every rank.
    double cacheBytesPerToken() {
        return cacheType().bytes(spec.entryWidth());
    }
}
