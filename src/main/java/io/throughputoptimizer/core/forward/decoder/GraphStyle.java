package io.throughputoptimizer.core.forward.decoder;

import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.operator.Tensor;

/// How a pass is written down outside attention and feed-forward part: compiled graphs fuse and merge, eager
/// graphs do not.
interface GraphStyle {
    /// One decoder layer.
    ///
    /// @param hidden residual stream `[1, S, h]`
    /// @param output where the layer leaves it
    void layer(DecoderBlocks.Layer layer, Tensor hidden, LayerInputs inputs, Tensor output);

    /// The norm after all layers.
    Tensor lastNorm(Tensor input);

    /// Rows of `source` at `indices`.
    Tensor gather(Tensor source, Tensor indices, Tensor result);

    /// Logits `[1, n, V']` of rows `[1, n, h]`.
    ///
    /// @param weight `[h, V']`
    Tensor outputHead(Tensor rows, Tensor weight);
}
