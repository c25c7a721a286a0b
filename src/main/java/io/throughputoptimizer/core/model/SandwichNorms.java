package io.throughputoptimizer.core.model;

/// One residual stream, to which each part of a layer adds its result after a norm of its own.
///
/// @param before whether there is a norm before each part too: four norms in a layer (Gemma, GLM-4), else two
///     (EXAONE 4, OLMo 3)
/// @param scalesEmbeddings whether embeddings enter the stream times a number that is kept in 16 bits (Gemma)
/// @param scalesLayers whether each layer leaves the stream times a number of its own (Gemma 4)
public record SandwichNorms(boolean before, boolean scalesEmbeddings, boolean scalesLayers)
        implements ResidualConnections {
    private static final int NORMS_OF_RESULTS = 2;

    /// As Gemma has them.
    public SandwichNorms() {
        this(true, true);
    }

    public SandwichNorms(boolean before, boolean scalesEmbeddings) {
        this(before, scalesEmbeddings, false);
    }

    /// Parameters of the norms of a layer beyond two, `2 h`, and its number.
    public long layerParameters(int hiddenSize) {
        return (before ? (long) NORMS_OF_RESULTS * hiddenSize : 0) + (scalesLayers ? 1 : 0);
    }

    @Override
    public long parameterCount(int hiddenSize, int layers) {
        return layers * layerParameters(hiddenSize);
    }
}
