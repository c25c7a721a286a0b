package io.throughputoptimizer.core.model;

/// Kind of feed-forward part, by what its cost depends on.
public sealed interface FeedForwardSpec {

    /// Parameters of one layer's feed-forward part for a residual stream of `hiddenSize`.
    long parameterCount(int hiddenSize);

    /// One SwiGLU network in every layer: gate and up `[hiddenSize, intermediateSize]`, down the reverse.
    ///
    /// @param activation joins gate and up
    /// @param joined whether checkpoints hold gate and up in one weight, which the reference leaves whole on every
    ///     tensor parallel rank
    record Dense(int intermediateSize, GatedActivation activation, boolean joined) implements FeedForwardSpec {
        public Dense(int intermediateSize) {
            this(intermediateSize, GatedActivation.SILU);
        }

        public Dense(int intermediateSize, GatedActivation activation) {
            this(intermediateSize, activation, false);
        }

        /// The same with gate and up in one weight.
        public Dense joining() {
            return new Dense(intermediateSize, activation, true);
        }

        public Dense {
            ModelArchitecture.requireSize("intermediate size", intermediateSize, ModelArchitecture.MAX_INNER_WIDTH);
        }

        @Override
        public long parameterCount(int hiddenSize) {
            return 3L * hiddenSize * intermediateSize;
        }
    }

    /// Many SwiGLU networks ("experts") in a layer, of which each token visits a few.
    ///
    /// @param routing which experts a token visits
    /// @param expertWidth intermediate size of an expert
    /// @param sharedWidth intermediate size of the network that every token visits besides; 0 when there is none
    /// @param sharedGate whether a number for each token, projected from it, gates that network's result
    /// @param activation joins gate and up in experts
    /// @param sharedActivation joins gate and up in the network that every token visits
    /// @param latentWidth width of a token inside the routed experts, to which it is projected and back;
    /// 0 where they take it as it is
    /// @param besideDense whether the network that every token visits is the dense part of the layer, beside which
    /// experts and router take the residual stream through norms of their own, and both results are normalized
    /// before they are added (Gemma 4)
    record RoutedExperts(
            Routing routing,
            int expertWidth,
            int sharedWidth,
            boolean sharedGate,
            GatedActivation activation,
            GatedActivation sharedActivation,
            int latentWidth,
            boolean besideDense)
            implements FeedForwardSpec {
        /// Whose experts take tokens as they are.
        public RoutedExperts(
                Routing routing,
                int expertWidth,
                int sharedWidth,
                boolean sharedGate,
                GatedActivation activation,
                GatedActivation sharedActivation) {
            this(routing, expertWidth, sharedWidth, sharedGate, activation, sharedActivation, 0, false);
        }

        /// The same with tokens of that width inside.
        public RoutedExperts within(int latent) {
            return new RoutedExperts(
                    routing, expertWidth, sharedWidth, sharedGate, activation, sharedActivation, latent, besideDense);
        }

        /// The same beside the dense part of the layer, which is the network that every token visits.
        public RoutedExperts standingBeside() {
            return new RoutedExperts(
                    routing, expertWidth, sharedWidth, sharedGate, activation, sharedActivation, latentWidth, true);
        }

        /// With a shared network that is not gated.
        public RoutedExperts(Routing routing, int expertWidth, int sharedWidth) {
            this(routing, expertWidth, sharedWidth, false);
        }

        public RoutedExperts(Routing routing, int expertWidth, int sharedWidth, boolean sharedGate) {
            this(routing, expertWidth, sharedWidth, sharedGate, GatedActivation.SILU);
        }

        public RoutedExperts(
                Routing routing, int expertWidth, int sharedWidth, boolean sharedGate, GatedActivation activation) {
            this(routing, expertWidth, sharedWidth, sharedGate, activation, activation);
        }

        public RoutedExperts {
            ModelArchitecture.requireSize(
                    "expert width", expertWidth, ModelArchitecture.MAX_INNER_WIDTH / routing.experts());
            if (sharedWidth != 0) {
                ModelArchitecture.requireSize("shared width", sharedWidth, ModelArchitecture.MAX_INNER_WIDTH);
            }
            if (besideDense && sharedWidth == 0) {
                throw new IllegalArgumentException("shared width is 0: experts stand beside a dense part");
            }
            if (latentWidth != 0) {
                ModelArchitecture.requireSize("latent width", latentWidth, ModelArchitecture.MAX_HIDDEN_SIZE);
            }
        }

        /// The same whose tokens find their experts by another router.
        public RoutedExperts routedBy(Router router) {
            return new RoutedExperts(
                    new Routing(routing.experts(), routing.expertsPerToken(), router),
                    expertWidth,
                    sharedWidth,
                    sharedGate,
                    activation,
                    sharedActivation,
                    latentWidth,
                    besideDense);
        }

        /// Parameters of the norms before the experts and behind them and the dense part, `3 h`.
        public long normParameters(long hiddenSize) {
            return besideDense ? 3 * hiddenSize : 0;
        }

        /// What the split over ranks depends on: the same in all layers of a model.
        record Sizes(int experts, int expertsPerToken, int expertWidth, int sharedWidth) {}

        Sizes sizes() {
            return new Sizes(routing.experts(), routing.expertsPerToken(), expertWidth, sharedWidth);
        }

        @Override
        public long parameterCount(int hiddenSize) {
            long inside = latentWidth == 0 ? hiddenSize : latentWidth;
            long networks = 3L * (inside * routing.experts() * expertWidth + (long) hiddenSize * sharedWidth);
            long latent = latentWidth == 0 ? 0 : (2L * hiddenSize + 1) * latentWidth;
            return networks
                    + latent
                    + routing.parameterCount(hiddenSize)
                    + (sharedGate ? hiddenSize : 0)
                    + normParameters(hiddenSize);
        }
    }

    /// How tokens find their experts.
    ///
    /// @param experts number of routed experts
    /// @param expertsPerToken how many of them a token visits
    record Routing(int experts, int expertsPerToken, Router router) {
        public static final int MAX_EXPERTS = 100_000;

        public Routing {
            ModelArchitecture.requireSize("experts", experts, MAX_EXPERTS);
            ModelArchitecture.requireSize("experts per token", expertsPerToken, experts);
        }

        private long parameterCount(int hiddenSize) {
            long bias = router.hasBias() ? experts : 0;
            long scales = router instanceof Router.NormedSoftmax ? (long) hiddenSize + experts : 0;
            return (long) experts * hiddenSize + bias + scales;
        }
    }
}
