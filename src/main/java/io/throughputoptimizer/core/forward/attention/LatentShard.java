package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.CACHE_BLOCKS;
import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One rank's share of multi-head latent attention. Heads divide over the tensor parallel group; the down
/// projections, the cache and the sparse indexer are on every rank.
final class LatentShard implements AttentionShard {
    private final AttentionSpec.MultiHeadLatent spec;
    private final long hiddenSize;
    private final int tp;
    private final boolean compiled;
    private final AttentionQuantization quantization;
    private final LinearLayers linears;

    LatentShard(Deployment deployment, AttentionSpec.MultiHeadLatent spec, LinearLayers linears) {
        this.spec = spec;
        this.hiddenSize = deployment.model().hiddenSize();
        this.tp = deployment.layout().tp();
        this.compiled = deployment.execution().compiled();
        this.quantization = deployment.quantization().attention();
        this.linears = linears;
    }

    /// Weights of one layer.
    ///
    /// @param keyValueUp weight from compressed to full keys and values; passes use it in other forms
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

    AttentionSpec.MultiHeadLatent spec() {
        return spec;
    }

    boolean isCompiled() {
        return compiled;
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

    /// Scales that attention on a quantized cache reads: seven scalars of the cache, and that of the key-value
    /// projection, which under MXFP4 are the blocks of all heads, not of this rank's.
    List<Tensor> cacheScales(LayerInputs inputs) {
        if (!quantizesCache()) {
            return List.of();
        }
        long unfolded = (long) spec.heads() * (spec.head().plain() + spec.head().value());
        Tensor projection = linears.isBlockScaled()
                ? Tensor.of(DataType.FLOAT8_E8M0, unfolded, linears.blocks(spec.keyValueRank()))
                : requireNonNull(inputs.scales().weight());
        return Stream.concat(inputs.cacheScales().stream(), Stream.of(projection))
                .toList();
    }

    /// Returns, for a compiled graph, both inner norms and, unless quantized, the projections before attention.
    @Override
    public List<Tensor> weightsSeenAgain() {
        if (!compiled) {
            return List.of();
        }
        Stream<Tensor> norms = Stream.of(Tensor.half(spec.queryRank()), Tensor.half(spec.keyValueRank()));
        Weights weights = weights();
        Stream<Tensor> projections = linears.isQuantized()
                ? Stream.empty()
                : Stream.of(weights.queryDown(), weights.queryUp(), weights.keyValueDown())
                        .map(LinearWeight::weight);
        return Stream.concat(norms, projections).toList();
    }

    /// A new cache of one layer, `[blocks, 128, c + r]`.
    Tensor cache() {
        return Tensor.of(cacheType(), CACHE_BLOCKS.form(), AttentionBlock.BLOCK_TOKENS, spec.entryWidth());
    }

    /// Returns whether an indexer selects the tokens attended to.
    boolean selects() {
        return spec.indexer() != null;
    }

    /// The layer's own selection of the tokens attended to; empty when all are, or where it is that of a layer before.
    Optional<IndexerShard> indexer() {
        return Optional.ofNullable(spec.indexer())
                .filter(indexer -> !indexer.reused())
                .map(indexer -> new IndexerShard(indexer, this, hiddenSize, linears));
    }

    /// Projections and the two inner norms of one layer, and its indexer.
    @Override
    public double weightBytes() {
        return weights().bytes()
                + DataType.FLOAT16.bytes((double) spec.queryRank() + spec.keyValueRank())
                + indexer().map(IndexerShard::weightBytes).orElse(0.0);
    }

    /// One entry in the cache's type, on every rank, and that of the indexer.
    @Override
    public double cacheBytesPerToken() {
        return cacheType().bytes(spec.entryWidth())
                + indexer().map(IndexerShard::cacheBytesPerToken).orElse(0.0);
    }
}
