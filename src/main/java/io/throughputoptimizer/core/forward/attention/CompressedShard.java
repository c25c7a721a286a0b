package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.CACHE_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.INDEX_BLOCKS;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.CompressedSpec.Compression;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// One rank's share of attention to a window and to compressed entries. Query heads, index heads and output
/// groups divide over the tensor parallel group; the projections to narrow vectors, the compressors and the
/// caches are on every rank. The main cache is never quantized.
///
/// The reference gives draft layers wider entries and an index cache for all tokens, counts sinks twice and
/// leaves out the weights of compressors.
final class CompressedShard implements AttentionShard {
    private static final double SINK_BYTES = DataType.FLOAT32.bytes(1);
    /// Matrices of a compressor, in float32: vectors and gates.
    private static final int COMPRESSOR_MATRICES = 2;

    private final CompressedSpec spec;
    private final Deployment deployment;
    private final boolean drafts;
    private final LinearLayers linears;

    private CompressedShard(Deployment deployment, CompressedSpec spec, boolean drafts, LinearLayers linears) {
        this.spec = spec;
        this.deployment = deployment;
        this.drafts = drafts;
        this.linears = linears;
    }

    static CompressedShard of(Deployment deployment, CompressedSpec spec, LinearLayers linears) {
        return new CompressedShard(deployment, spec, false, linears);
    }

    static CompressedShard ofDrafts(Deployment deployment, CompressedSpec spec, LinearLayers linears) {
        return new CompressedShard(deployment, spec, true, linears);
    }

    /// Weights of one layer that linear layers hold.
    ///
    /// @param group weight from a group's heads to its vector, for all groups
    record Weights(
            LinearWeight queryDown, LinearWeight queryUp, LinearWeight entry, LinearWeight group, LinearWeight output) {
        double bytes() {
            return queryDown.bytes() + queryUp.bytes() + entry.bytes() + group.bytes() + output.bytes();
        }
    }

    /// Weights of an indexer that linear layers hold.
    ///
    /// @param heads weights of the index heads
    record IndexWeights(LinearWeight query, LinearWeight heads) {
        double bytes() {
            return query.bytes() + heads.bytes();
        }
    }

    CompressedSpec spec() {
        return spec;
    }

    boolean isCompiled() {
        return deployment.execution().compiled();
    }

    /// Returns whether passes count the operators that run, where the reference does not.
    boolean isSteady() {
        return deployment.execution().accounting() == PassAccounting.STEADY;
    }

    double rmsNormEpsilon() {
        return deployment.model().rmsNormEpsilon();
    }

    int ranks() {
        return deployment.layout().tp();
    }

    ProcessGroup tensorParallelGroup() {
        return ProcessGroup.contiguous(ranks());
    }

    long hiddenSize() {
        return deployment.model().hiddenSize();
    }

    long heads() {
        return spec.heads() / ranks();
    }

    long groups() {
        return spec.output().groups() / ranks();
    }

    /// Width of a group's heads together.
    long groupWidth() {
        return heads() * spec.headSize() / groups();
    }

    long indexHeads() {
        return spec.indexer().heads() / ranks();
    }

    /// Elements of an entry that are not rotated.
    long plain() {
        return (long) spec.headSize() - spec.rotated();
    }

    Weights weights() {
        long vectors = groups() * spec.output().rank();
        return new Weights(
                linears.weight(hiddenSize(), spec.queryRank()),
                linears.weight(spec.queryRank(), heads() * spec.headSize()),
                linears.weight(hiddenSize(), spec.headSize()),
                linears.weight(groupWidth(), vectors),
                linears.weight(vectors, hiddenSize()));
    }

    IndexWeights indexWeights() {
        return new IndexWeights(
                linears.weight(spec.queryRank(), indexHeads() * spec.indexer().headSize()),
                linears.weight(hiddenSize(), indexHeads()));
    }

    /// Weights of a compressor of entries that wide, which to the reference's memory ledger are none.
    List<Tensor> compressorWeights(long width) {
        return isSteady()
                ? List.of(Tensor.of(
                        DataType.FLOAT32,
                        hiddenSize(),
                        (long) COMPRESSOR_MATRICES * spec.compression().sets() * width))
                : List.of();
    }

    /// Elements of a cached entry.
    long entryWidth() {
        return overdraws() ? spec.headSize() + spec.rotated() : spec.headSize();
    }

    private boolean overdraws() {
        return drafts && !isSteady();
    }

    private Form blocks() {
        return overdraws()
                ? CompressedLoads.of(Compression.NONE).blocks()
                : CompressedLoads.of(spec.compression()).blocks();
    }

    private Form indexBlocks() {
        return overdraws() ? CACHE_BLOCKS.form() : INDEX_BLOCKS.form();
    }

    /// A new cache of one layer.
    Tensor cache() {
        return Tensor.of(DataType.FLOAT16, blocks(), AttentionBlock.BLOCK_TOKENS, entryWidth());
    }

    /// A new cache of one layer's indexer.
    Tensor indexCache() {
        return Tensor.of(
                deployment.quantization().attention().cacheType(),
                indexBlocks(),
                AttentionBlock.BLOCK_TOKENS,
                spec.indexer().headSize());
    }

    /// Projections, both inner norms and the sinks of all heads; projections of the indexer.
    @Override
    public double weightBytes() {
        double norms = DataType.FLOAT16.bytes((double) spec.queryRank() + spec.headSize());
        double sinks = SINK_BYTES * spec.heads() * (isSteady() ? 1 : 2);
        double own = weights().bytes() + norms + sinks;
        return switch (spec.compression()) {
            case NONE -> own;
            case FINE ->
                own
                        + indexWeights().bytes()
                        + compressorBytes(spec.headSize())
                        + compressorBytes(spec.indexer().headSize());
            case COARSE -> own + compressorBytes(spec.headSize());
        };
    }

    private double compressorBytes(long width) {
        return compressorWeights(width).stream()
                .mapToDouble(weight -> weight.bytes().number())
                .sum();
    }

    /// Not the same for all tokens: see [#cacheBytes].
    @Override
    public double cacheBytesPerToken() {
        return 0;
    }

    /// Whole blocks of window and entries, and of the indexer's keys.
    @Override
    public Form cacheBytes() {
        boolean indexes = overdraws() || spec.compression() == Compression.FINE;
        Form main = cache().bytes();
        return indexes ? main.plus(indexCache().bytes()) : main;
    }

    @Override
    public List<Tensor> weightsSeenAgain() {
        return List.of();
    }
}
