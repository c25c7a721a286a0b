package io.throughputoptimizer.core.forward;

/// The two parts that make up a layer.
record LayerBlocks(AttentionBlock attention, FeedForwardBlock feedForward) {
    /// Bytes of one layer's weights, norms and scalar scales aside.
    double weightBytes() {
        return attention.weightBytes() + feedForward.weightBytes();
    }
}
