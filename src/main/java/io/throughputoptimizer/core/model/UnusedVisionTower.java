package io.throughputoptimizer.core.model;

/// A vision tower and its projector, held in memory by msmodeling although no image passes through them
/// (MiniMax-M3).
///
/// @param depth number of transformer blocks
/// @param hiddenSize width of a patch between blocks, `hv`
/// @param intermediateSize width inside a block's feed-forward network, `Iv`
/// @param heads attention heads per block
/// @param patchWidth numbers per patch
/// @param patchesPerToken patches per decoder token
/// @param projectorSize width inside the projector, `hp`
public record UnusedVisionTower(
        int depth,
        int hiddenSize,
        int intermediateSize,
        int heads,
        long patchWidth,
        int patchesPerToken,
        int projectorSize) {
    public UnusedVisionTower {
        ModelArchitecture.requireSize("vision depth", depth, ModelArchitecture.MAX_LAYERS);
        ModelArchitecture.requireSize("vision hidden size", hiddenSize, ModelArchitecture.MAX_HIDDEN_SIZE);
        ModelArchitecture.requireSize("vision intermediate size", intermediateSize, ModelArchitecture.MAX_HIDDEN_SIZE);
        ModelArchitecture.requireSize("vision heads", heads, hiddenSize);
        ModelArchitecture.requireSize("projector size", projectorSize, ModelArchitecture.MAX_HIDDEN_SIZE);
    }

    /// Returns the width of an attention head.
    public int headSize() {
        return hiddenSize / heads;
    }
}
