package io.throughputoptimizer.core.model;

import org.jspecify.annotations.Nullable;

/// Kind of feed-forward part, by what its cost depends on.
public sealed interface FeedForwardSpec {

    /// Parameters of the feed-forward parts of all `layers` for a residual stream of `hiddenSize`.
    long parameterCount(int hiddenSize, int layers);

    /// One SwiGLU network in every layer: gate and up `[hiddenSize, intermediateSize]`, down the reverse.
    record Dense(int intermediateSize) implements FeedForwardSpec {
        public Dense {
            ModelArchitecture.requireSize("intermediate size", intermediateSize, ModelArchitecture.MAX_INNER_WIDTH);
        }

        @Override
        public long parameterCount(int hiddenSize, int layers) {
            return layers * 3L * hiddenSize * intermediateSize;
        }
    }

    /// Many SwiGLU networks ("experts") in a layer, of which each token visits a few.
    ///
    /// @param routing which experts a token visits
    /// @param expertWidth intermediate size of an expert
    /// @param sharedWidth intermediate size of the network that every token visits besides; 0 when there is none
    /// @param leadingDense first layers that are dense instead; absent when there are none
    record RoutedExperts(
            Routing routing,
            int expertWidth,
            int sharedWidth,
            @Nullable LeadingDense leadingDense) implements FeedForwardSpec {
        public RoutedExperts {
            ModelArchitecture.requirePositive("expert width", expertWidth);
            if (sharedWidth < 0) {
                throw new IllegalArgumentException("shared width is " + sharedWidth + ": at least 0 is needed");
            }
        }

        /// Layers without experts, at the beginning of `layers`.
        public int denseLayers(int layers) {
            return leadingDense == null ? 0 : Math.min(leadingDense.layers(), layers);
        }

        @Override
        public long parameterCount(int hiddenSize, int layers) {
            long dense = leadingDense == null
                    ? 0
                    : new Dense(leadingDense.intermediateSize()).parameterCount(hiddenSize, denseLayers(layers));
            long networks = 3L * hiddenSize * ((long) routing.experts() * expertWidth + sharedWidth);
            return dense + (layers - denseLayers(layers)) * (networks + routing.parameterCount(hiddenSize));
        }
    }

    /// How tokens find their experts.
    ///
    /// @param experts number of routed experts
    /// @param expertsPerToken how many of them a token visits
    record Routing(int experts, int expertsPerToken, Router router) {
        public Routing {
            ModelArchitecture.requirePositive("experts", experts);
            ModelArchitecture.requirePositive("experts per token", expertsPerToken);
            if (expertsPerToken > experts) {
                throw new IllegalArgumentException(
                        "experts per token is " + expertsPerToken + ": at most the number of experts, " + experts);
            }
        }

        private long parameterCount(int hiddenSize) {
            long bias = router.hasBias() ? experts : 0;
            return (long) experts * hiddenSize + bias;
        }
    }

    /// Dense layers before those with experts.
    record LeadingDense(int layers, int intermediateSize) {
        public LeadingDense {
            ModelArchitecture.requirePositive("leading dense layers", layers);
            ModelArchitecture.requirePositive("intermediate size", intermediateSize);
        }
    }
}
