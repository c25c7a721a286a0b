package io.throughputoptimizer.core.model;

/// Kind of feed-forward part, by what its cost depends on.
public sealed interface FeedForwardSpec {

    /// Parameters of one layer's feed-forward part for a residual stream of `hiddenSize`.
    long parameterCount(int hiddenSize);

    /// One SwiGLU network in every layer: gate and up `[hiddenSize, intermediateSize]`, down the reverse.
    record Dense(int intermediateSize) implements FeedForwardSpec {
        public Dense {
            ModelArchitecture.requireSize("intermediate size", intermediateSize, ModelArchitecture.MAX_INNER_WIDTH);
        }

        @Override
        public long parameterCount(int hiddenSize) {
            return 3L * hiddenSize * intermediateSize;
        }
    }
}
