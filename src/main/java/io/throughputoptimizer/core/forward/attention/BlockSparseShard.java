package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.CACHE_BLOCKS;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One rank's share of attention to selected blocks, or, without an indexer, to all of them. Query heads divide
/// over the tensor parallel group; key-value heads and index heads divide too, or, when there are fewer than
/// ranks, each rank holds exactly one. The index key is on every rank.
final class BlockSparseShard implements AttentionShard {
    private final AttentionSpec.BlockSparse spec;
    private final long hiddenSize;
    private final int tp;
    private final boolean compiled;
    private final PassAccounting accounting;
    private final LinearLayers linears;

    BlockSparseShard(Deployment deployment, AttentionSpec.BlockSparse spec, LinearLayers linears) {
        this.spec = spec;
        this.hiddenSize = deployment.model().hiddenSize();
        this.tp = deployment.layout().tp();
        this.compiled = deployment.execution().compiled();
        this.accounting = deployment.execution().accounting();
        this.linears = linears;
    }

    boolean isCompiled() {
        return compiled;
    }

    /// Returns whether attention to all tokens is priced for all heads; the reference counts the heads as one.
    boolean pricesAllHeads() {
        return accounting == PassAccounting.STEADY;
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

    AttentionSpec.@Nullable BlockIndexer indexer() {
        return spec.indexer();
    }

    long indexHeads(AttentionSpec.BlockIndexer indexer) {
        return Math.max(1, indexer.heads() / tp);
    }

    ProcessGroup tensorParallelGroup() {
        return ProcessGroup.contiguous(tp);
    }

    /// New weights of the projections of queries, keys and values, and of those of the indexer's query and key.
    List<LinearWeight> projections() {
        List<LinearWeight> weights = new ArrayList<>();
        weights.add(linears.weight(hiddenSize, queryHeads() * headSize()));
        weights.add(linears.weight(hiddenSize, keyValueHeads() * headSize()));
        weights.add(linears.weight(hiddenSize, keyValueHeads() * headSize()));
        AttentionSpec.BlockIndexer indexer = spec.indexer();
        if (indexer != null) {
            weights.add(linears.weight(hiddenSize, indexHeads(indexer) * indexer.headSize()));
            weights.add(linears.weight(hiddenSize, indexer.headSize()));
        }
        return weights;
    }

    /// A new weight of the output projection.
    LinearWeight output() {
        return linears.weight(queryHeads() * headSize(), hiddenSize);
    }

    /// Projections and norms of one layer.
    @Override
    public double weightBytes() {
        double projections =
                projections().stream().mapToDouble(LinearWeight::bytes).sum() + output().bytes();
        AttentionSpec.BlockIndexer indexer = spec.indexer();
        double normed = 2 * (headSize() + (indexer == null ? 0 : indexer.headSize()));
        return projections + linears.normCopies(accounting) * DataType.FLOAT16.bytes(normed);
    }

    /// Keys and values, and the index key.
    @Override
    public double cacheBytesPerToken() {
        AttentionSpec.BlockIndexer indexer = spec.indexer();
        return DataType.FLOAT16.bytes(2.0 * keyValueHeads() * headSize() + (indexer == null ? 0 : indexer.headSize()));
    }

    @Override
    public List<Tensor> weightsSeenAgain() {
        return List.of();
    }

    /// A new cache of keys and values of one layer, `[2, blocks, 128, hk, D]`.
    Tensor cache() {
        return Tensor.half(2, CACHE_BLOCKS.form(), AttentionBlock.BLOCK_TOKENS, keyValueHeads(), headSize());
    }

    /// A new cache of index keys of one layer, `[blocks, 128, D]`.
    Tensor indexCache(AttentionSpec.BlockIndexer indexer) {
        return Tensor.half(CACHE_BLOCKS.form(), AttentionBlock.BLOCK_TOKENS, indexer.headSize());
    }
}
