package io.throughputoptimizer.core.model;

/// One residual stream, to which each part of a layer adds its result after a norm of its own, beside the norm before
/// it: four norms in a layer (Gemma). Embeddings enter the stream times a number that is kept in 16 bits.
public record SandwichNorms() implements ResidualConnections {
    private static final int NORMS_OF_RESULTS = 2;

    /// Parameters of the norms behind the parts of a layer, `2 h`.
    public long layerParameters(int hiddenSize) {
        return (long) NORMS_OF_RESULTS * hiddenSize;
    }

    @Override
    public long parameterCount(int hiddenSize, int layers) {
        return layers * layerParameters(hiddenSize);
    }
}
