package io.throughputoptimizer.core.model;

/// One residual stream to which each part of a layer adds its normalized result.
///
/// @param before true if each part also has a norm before it: four norms per layer (Gemma, GLM-4), else two
///     (EXAONE 4, OLMo 3)
/// @param scalesEmbeddings true if embeddings are multiplied by a 16-bit scalar (Gemma)
/// @param scalesLayers true if each layer multiplies the stream by its own scalar (Gemma 4)
public record SandwichNorms(boolean before, boolean scalesEmbeddings, boolean scalesLayers)
        implements ResidualConnections {
    private static final int NORMS_OF_RESULTS = 2;

    /// Returns the parameters of a layer's norms beyond two, `2 h`, and its scalar.
    public long layerParameters(int hiddenSize) {
        return (before ? (long) NORMS_OF_RESULTS * hiddenSize : 0) + (scalesLayers ? 1 : 0);
    }

    @Override
    public long parameterCount(int hiddenSize, int layers) {
        return layers * layerParameters(hiddenSize);
    }
}
