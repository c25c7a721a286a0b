package io.throughputoptimizer.core.forward.decoder;

import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.operator.Tensor;

/// A style of recording a pass outside attention and feed-forward: compiled graphs fuse and merge, eager graphs do
/// not.
interface GraphStyle {
    /// One decoder layer.
    ///
    /// @param hidden residual stream `[1, S, h]`
    /// @param output receives the residual stream
    void layer(DecoderBlocks.Layer layer, Tensor hidden, LayerInputs inputs, Tensor output);

    /// The residual stream as layers take it, from the embeddings or from what a draft layer is given.
    ///
    /// @param hidden `[1, S, h]`
    default Tensor enter(Tensor hidden) {
        return hidden;
    }

    /// The residual stream after the last layer, `[1, S, h]`.
    default Tensor leave(Tensor hidden) {
        return hidden;
    }

    /// The norm after all layers.
    Tensor lastNorm(Tensor input);

    /// Rows of `source` at `indices`.
    Tensor gather(Tensor source, Tensor indices, Tensor result);

    /// Logits `[1, n, V']` of rows `[1, n, h]`.
    ///
    /// @param weight `[h, V']`
    Tensor outputHead(Tensor rows, Tensor weight);

    /// Bytes of a layer's weights outside attention and feed-forward part, norms aside.
    default double layerWeightBytes() {
        return 0;
    }

    /// Bytes of the weights with which the residual stream is left.
    default double frameWeightBytes() {
        return 0;
    }
}
