package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// The attention part of a layer on one rank. Every [#record] stands for another layer, on weights and cache
/// of its own.
interface AttentionBlock {
    /// Writes down one layer's attention up to and with the output projection.
    ///
    /// @param input normalized residual stream, quantized or not as the layer hands it over
    /// @return what is added to the residual stream
    Tensor record(Activation input, LayerInputs inputs);

    /// Whether the input may come quantized from a compiled graph.
    boolean takesQuantized();

    /// Bytes of one layer's weights.
    double weightBytes();

    /// Weights that the reference looks at again after the pass, once for each kind of layer: to the memory ledger
    /// they are inputs of their own.
    List<Tensor> weightsSeenAgain();

    /// Bytes of one layer's cache for one token.
    double cacheBytesPerToken();
}
