package io.throughputoptimizer.core.model;

/// Parts of hybrid models in place of attention, which only measured kernels price.
public sealed interface HybridSpec extends AttentionSpec {
    @Override
    default boolean cachesInOwnFormat() {
        return false;
    }

    @Override
    default int rotaryWidth() {
        return 0;
    }

    /// State space with scalar decay per head (Mamba2): a state per head instead of a cache, after a short
    /// convolution. Heads of a group share their input and output maps.
    ///
    /// @param heads heads, each with a state of `[stateSize, headSize]`, `nh`
    /// @param headSize elements of a head, `p`
    /// @param stateSize elements of a state per element of a head, `ds`
    /// @param groups groups of heads, `G`
    /// @param kernel width of the convolution
    /// @param chunk tokens of a chunk of the prompt scan
    record StateSpace(int heads, int headSize, int stateSize, int groups, int kernel, int chunk) implements HybridSpec {
        public StateSpace {
            ModelArchitecture.requireSize("head size", headSize, ModelArchitecture.MAX_HIDDEN_SIZE);
            ModelArchitecture.requireSize("heads", heads, ModelArchitecture.MAX_INNER_WIDTH / headSize);
            ModelArchitecture.requireSize("groups", groups, heads);
            ModelArchitecture.requireSize("state size", stateSize, ModelArchitecture.MAX_INNER_WIDTH / groups);
            ModelArchitecture.requireSize("kernel", kernel, GatedDelta.MAX_KERNEL);
            ModelArchitecture.requireSize("chunk", chunk, ModelArchitecture.MAX_POSITIONS);
        }

        /// Returns the width of all heads.
        public int width() {
            return heads * headSize;
        }

        /// Returns the channels of the convolution, `nh p + 2 G ds`.
        public int channels() {
            return width() + 2 * groups * stateSize;
        }

        /// Counts both projections, the convolution, its biases, the vectors of the heads and the norm.
        @Override
        public long parameterCount(int hiddenSize) {
            return (long) hiddenSize * (channels() + 2L * width() + heads)
                    + (long) channels() * (kernel + 1)
                    + 3L * heads
                    + width();
        }
    }

    /// Short convolution between two gates (LFM2), as wide as the residual stream.
    ///
    /// @param kernel width of the convolution
    record ShortConvolution(int kernel) implements HybridSpec {
        public ShortConvolution {
            ModelArchitecture.requireSize("kernel", kernel, GatedDelta.MAX_KERNEL);
        }

        @Override
        public long parameterCount(int hiddenSize) {
            return 4L * hiddenSize * hiddenSize + (long) kernel * hiddenSize;
        }
    }

    /// No attention: a layer with a feed-forward part alone.
    record Absent() implements HybridSpec {
        @Override
        public long parameterCount(int hiddenSize) {
            return 0;
        }
    }
}
