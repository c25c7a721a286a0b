package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.CACHE_BLOCKS;

import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// One rank's share of a layer's attention, however its pass is written down.
public sealed interface AttentionShard
        permits BlockSparseShard, CompressedShard, DeltaShard, GroupedQueryShard, LatentShard {
    /// Bytes of one layer's weights.
    double weightBytes();

    /// Bytes of one layer's cache for one token.
    double cacheBytesPerToken();

    /// Bytes of one layer's cache for the requests of a pass, in whole blocks.
    default Form cacheBytes() {
        return CACHE_BLOCKS.form().times(cacheBytesPerToken() * AttentionBlock.BLOCK_TOKENS);
    }

    /// Bytes of one layer's state for one request, where it is counted.
    default double stateBytesPerRequest() {
        return 0;
    }

    /// Weights that the reference looks at again after the pass, once for each kind of layer: to the memory ledger
    /// they are inputs of their own.
    List<Tensor> weightsSeenAgain();
}
