package io.throughputoptimizer.core.model;

/// Several residual streams instead of one (manifold-constrained hyper-connections, DeepSeek-V4). Before each
/// part of a layer they are mixed into its input; after it, its result is added to each and they are mixed with
/// each other. The mixing weights depend on the streams.
///
/// @param streams residual streams, `c`
/// @param iterations rounds of normalizing the stream weights by rows and columns (Sinkhorn)
public record HyperConnections(int streams, int iterations) implements ResidualConnections {
    public static final int MAX_STREAMS = 1000;
    public static final int MAX_ITERATIONS = 10_000;
    /// Number of scale factors, one per kind of weights.
    private static final int SCALES = 3;

    private static final int PARTS_OF_A_LAYER = 2;

    public HyperConnections {
        ModelArchitecture.requireSize("streams", streams, MAX_STREAMS);
        ModelArchitecture.requireSize("iterations", iterations, MAX_ITERATIONS);
    }

    /// Returns the mixing weights per token: for each stream one into the part, one out of it and `c` among
    /// streams.
    public long mixtures() {
        return (2L + streams) * streams;
    }

    /// Returns the parameters of a layer's two mixtures, `2 (m c h + m + 3)`, all in float32.
    public long layerParameters(int hiddenSize) {
        return PARTS_OF_A_LAYER * (mixtures() * streams * hiddenSize + mixtures() + SCALES);
    }

    /// Returns the parameters of the mixture before the final norm, `c c h + c + 1`, in float32.
    public long headParameters(int hiddenSize) {
        return (long) streams * streams * hiddenSize + streams + 1;
    }

    @Override
    public long parameterCount(int hiddenSize, int layers) {
        return layers * layerParameters(hiddenSize) + headParameters(hiddenSize);
    }
}
