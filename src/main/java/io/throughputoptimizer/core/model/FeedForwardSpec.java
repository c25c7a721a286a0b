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
            ModelArchitecture.requireSize(
                    "expert width", expertWidth, ModelArchitecture.MAX_INNER_WIDTH / routing.experts());
            if (sharedWidth != 0) {
                ModelArchitecture.requireSize("shared width", sharedWidth, ModelArchitecture.MAX_INNER_WIDTH);
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
        static final int MAX_EXPERTS = 100_000;

        public Routing {
            ModelArchitecture.requireSize("experts", experts, MAX_EXPERTS);
            ModelArchitecture.requireSize("experts per token", expertsPerToken, experts);
        }

        private long parameterCount(int hiddenSize) {
            long bias = router.hasBias() ? experts : 0;
            return (long) experts * hiddenSize + bias;
        }
    }

    /// Dense layers before those with experts.
    record LeadingDense(int layers, int intermediateSize) {
        public LeadingDense {
            ModelArchitecture.requireSize("leading dense layers", layers, ModelArchitecture.MAX_LAYERS);
            ModelArchitecture.requireSize("intermediate size", intermediateSize, ModelArchitecture.MAX_INNER_WIDTH);
        }
    }
}
