package io.throughputoptimizer.core.model;

/// A vision tower, and the projector behind it, that the reference holds in memory although no image passes through
/// it (MiniMax-M3).
///
/// @param depth transformer blocks
/// @param hiddenSize width of a patch between blocks, `hv`
/// @param intermediateSize width inside a block's feed-forward part, `Iv`
/// @param heads attention heads of a block
/// @param patchWidth numbers that make up a patch
/// @param patchesPerToken patches that become one token of the decoder
/// @param projectorSize width inside the projector, `hp`
public record IdleTower(
        int depth,
        int hiddenSize,
        int intermediateSize,
        int heads,
        long patchWidth,
        int patchesPerToken,
        int projectorSize) {
    public IdleTower {
        ModelArchitecture.requireSize("vision depth", depth, ModelArchitecture.MAX_LAYERS);
        ModelArchitecture.requireSize("vision hidden size", hiddenSize, ModelArchitecture.MAX_HIDDEN_SIZE);
        ModelArchitecture.requireSize("vision intermediate size", intermediateSize, ModelArchitecture.MAX_HIDDEN_SIZE);
        ModelArchitecture.requireSize("vision heads", heads, hiddenSize);
        ModelArchitecture.requireSize("projector size", projectorSize, ModelArchitecture.MAX_HIDDEN_SIZE);
    }

    /// Width of an attention head.
    public int headSize() {
        return hiddenSize / heads;
    }
}
