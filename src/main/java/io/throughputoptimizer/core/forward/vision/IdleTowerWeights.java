package io.throughputoptimizer.core.forward.vision;

import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.IdleTower;

/// Weights of a vision tower that no image passes through, whole on every rank. The reference quantizes the
/// products of its blocks like those of the decoder, and nothing else of it.
///
/// @param outputSize width of the decoder's tokens
public record IdleTowerWeights(IdleTower tower, long outputSize, LinearLayers linears) {
    /// Frequencies of the rotation, in each half of a head: by time, row and column.
    private static final int AXES = 3;

    public double bytes() {
        return tower.depth() * block() + embedding() + projector();
    }

    /// Four projections of attention and two of the feed-forward part, with biases, and two norms with weight and
    /// bias.
    private double block() {
        long hidden = tower.hiddenSize();
        long inner = tower.intermediateSize();
        double products = 4 * linears.weight(hidden, hidden).bytes()
                + linears.weight(hidden, inner).bytes()
                + linears.weight(inner, hidden).bytes();
        double biases = 5.0 * hidden + inner;
        return products + DataType.FLOAT16.bytes(biases + 4 * hidden);
    }

    /// Patches, the norm after them, and the frequencies of the rotation, twice in float32.
    private double embedding() {
        double norm = 2.0 * tower.hiddenSize();
        int frequencies = 2 * Math.floorDiv(tower.headSize(), 2 * AXES);
        return DataType.FLOAT16.bytes((double) tower.patchWidth() * tower.hiddenSize() + norm)
                + DataType.FLOAT32.bytes(frequencies);
    }

    /// Each patch becomes as wide as a token, and then all patches of a token one; two layers with biases each.
    private double projector() {
        double inner = tower.projectorSize();
        double patch = tower.hiddenSize() * inner + inner * outputSize;
        double merged = (double) tower.patchesPerToken() * outputSize * inner + inner * outputSize;
        return DataType.FLOAT16.bytes(patch + merged + 2 * inner + 2.0 * outputSize);
    }
}
