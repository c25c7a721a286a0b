package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.operator.Tensor;

/// The feed-forward part of a layer on one rank. Every [#record] stands for another layer, on weights of its
/// own.
interface FeedForwardBlock {
    /// Writes down one layer's feed-forward part.
    ///
    /// @param input normalized residual stream, quantized or not as the layer hands it over
    /// @return what is added to the residual stream
    Tensor record(Activation input, LayerScales scales);

    /// Whether the input may come quantized from a compiled graph.
    boolean takesQuantized();

    /// Whether the memory of this way of running is proved equal to the reference.
    boolean isMemoryProved();

    /// Bytes of one layer's weights.
    double weightBytes();
}
