package io.throughputoptimizer.core.model;

/// Several residual streams in place of one (manifold-constrained hyper-connections, DeepSeek-V4): before each
/// part of a layer they are mixed into its input, after it its result is added to each, and they are mixed
/// among each other. The weights of the mixtures follow from the streams themselves.
///
/// @param streams residual streams, `c`
/// @param iterations rounds in which the weights among streams are normalized by rows and columns (Sinkhorn)
public record HyperConnections(int streams, int iterations) implements ResidualConnections {
    public static final int MAX_STREAMS = 1000;
    public static final int MAX_ITERATIONS = 10_000;
    /// Factors of the three kinds of weights.
    private static final int SCALES = 3;

    private static final int PARTS_OF_A_LAYER = 2;

    public HyperConnections {
        ModelArchitecture.requireSize("streams", streams, MAX_STREAMS);
        ModelArchitecture.requireSize("iterations", iterations, MAX_ITERATIONS);
    }

    /// Weights of a token's mixtures: one into the part, one out of it and `c` among streams for each stream.
    public long mixtures() {
        return (2L + streams) * streams;
    }

    /// Parameters of a layer's two mixtures, `2 (m c h + m + 3)`, all in float32.
    public long layerParameters(int hiddenSize) {
        return PARTS_OF_A_LAYER * (mixtures() * streams * hiddenSize + mixtures() + SCALES);
    }

    /// Parameters of the mixture before the final norm, `c c h + c + 1`, in float32.
    public long headParameters(int hiddenSize) {
        return (long) streams * streams * hiddenSize + streams + 1;
    }

    @Override
    public long parameterCount(int hiddenSize, int layers) {
        return layers * layerParameters(hiddenSize) + headParameters(hiddenSize);
    }
}
