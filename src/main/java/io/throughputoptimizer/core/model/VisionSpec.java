package io.throughputoptimizer.core.model;

import java.util.List;

/// A vision tower in front of a decoder (Qwen3-VL): patches are embedded, pass through transformer blocks that
/// attend within an image, and are merged into tokens of the decoder's width. Some blocks also pass their
/// patches to the decoder, merged by their own network ("deepstack").
///
/// @param depth number of transformer blocks
/// @param hiddenSize width of a patch between blocks, `hv`
/// @param intermediateSize width inside a block's feed-forward network, `Iv`
/// @param heads attention heads per block
/// @param positions rows of the position embedding table
/// @param patching preprocessing of images
/// @param deepstackBlocks ascending indices of the deepstack blocks
public record VisionSpec(
        int depth,
        int hiddenSize,
        int intermediateSize,
        int heads,
        int positions,
        ImagePatching patching,
        List<Integer> deepstackBlocks) {
    /// Divisor of the head size: the rotation pairs both halves of a head by row and by column.
    private static final int ROTATED_PARTS = 4;

    public VisionSpec {
        ModelArchitecture.requireSize("vision depth", depth, ModelArchitecture.MAX_LAYERS);
        int widest = ModelArchitecture.MAX_HIDDEN_SIZE / patching.patchesPerToken();
        ModelArchitecture.requireSize("vision hidden size", hiddenSize, widest);
        ModelArchitecture.requireSize("vision intermediate size", intermediateSize, ModelArchitecture.MAX_HIDDEN_SIZE);
        ModelArchitecture.requireSize("vision heads", heads, hiddenSize);
        ModelArchitecture.requireSize("vision positions", positions, ModelArchitecture.MAX_POSITIONS);
        if (hiddenSize % (heads * (long) ROTATED_PARTS) != 0) {
            throw new IllegalArgumentException("vision hidden size " + hiddenSize + " is not a multiple of " + heads
                    + " heads of " + ROTATED_PARTS + " rotated parts each");
        }
        deepstackBlocks = List.copyOf(deepstackBlocks);
        int previous = -1;
        for (int block : deepstackBlocks) {
            if (block <= previous || block >= depth) {
                throw new IllegalArgumentException("deepstack blocks are " + deepstackBlocks
                        + ": ascending indices below " + depth + " are needed");
            }
            previous = block;
        }
    }

    /// Returns the width of an attention head, `dv`.
    public int headSize() {
        return hiddenSize / heads;
    }

    /// Returns the width of the patches merged into one token, `hv * mergeSize^2`.
    public int mergedSize() {
        return hiddenSize * patching.patchesPerToken();
    }

    /// Returns the parameters of the tower: patch and position embeddings, blocks, the final merger and one per
    /// deepstack block. All linears and norms have biases.
    ///
    /// @param outputSize width of the decoder's tokens
    public long parameterCount(int outputSize) {
        long hidden = hiddenSize;
        long attention = linear(hidden, 3 * hidden) + linear(hidden, hidden);
        long feedForward = linear(hidden, intermediateSize) + linear(intermediateSize, hidden);
        long block = 2 * norm(hidden) + attention + feedForward;
        long merging = linear(mergedSize(), mergedSize()) + linear(mergedSize(), outputSize);
        return linear(patching.patchWidth(), hidden)
                + positions * hidden
                + depth * block
                + norm(hidden)
                + merging
                + deepstackBlocks.size() * (norm(mergedSize()) + merging);
    }

    private static long linear(long inputs, long outputs) {
        return inputs * outputs + outputs;
    }

    private static long norm(long width) {
        return 2 * width;
    }
}
