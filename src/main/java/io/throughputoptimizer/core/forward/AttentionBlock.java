package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.operator.Tensor;

/// The attention part of a layer on one rank. Every [#record] stands for another layer, on weights and cache
/// of its own.
interface AttentionBlock {
    /// Writes down one layer's attention up to and with the output projection.
    ///
    /// @param input normalized residual stream, quantized or not as the layer hands it over
    /// @return what is added to the residual stream
    Tensor record(Activation input, LayerScales scales, Rotary rotary);

    /// Whether the input may come quantized from a compiled graph.
    boolean takesQuantized();

    /// Bytes of one layer's weights.
    double weightBytes();

    /// Bytes of one layer's cache for one token.
    double cacheBytesPerToken();
}
