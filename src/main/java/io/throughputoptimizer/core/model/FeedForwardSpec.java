package io.throughputoptimizer.core.model;

/// A kind of feed-forward network, with the parameters that determine its cost.
public sealed interface FeedForwardSpec {

    /// Returns the parameters of one layer's feed-forward network for a residual stream of `hiddenSize`.
    long parameterCount(int hiddenSize);

    /// One SwiGLU network in every layer: gate and up `[hiddenSize, intermediateSize]`, down the reverse.
    ///
    /// @param activation combination of gate and up
    /// @param joined true if checkpoints hold gate and up in one weight, which msmodeling keeps whole on every
    ///     tensor parallel rank
    record Dense(int intermediateSize, GatedActivation activation, boolean joined) implements FeedForwardSpec {
        public Dense(int intermediateSize) {
            this(intermediateSize, GatedActivation.SILU);
        }

        public Dense(int intermediateSize, GatedActivation activation) {
            this(intermediateSize, activation, false);
        }

        /// Returns a copy with gate and up in one weight.
        public Dense joining() {
            return new Dense(intermediateSize, activation, true);
        }

        public Dense {
            ModelArchitecture.requireSize("intermediate size", intermediateSize, ModelArchitecture.MAX_INNER_WIDTH);
        }

        @Override
        public long parameterCount(int hiddenSize) {
            return (long) activation.matrices() * hiddenSize * intermediateSize;
        }
    }

    /// A mixture of SwiGLU networks ("experts"), a few of which each token visits.
    ///
    /// @param routing routing of tokens to experts
    /// @param expertWidth intermediate size of an expert
    /// @param sharedWidth intermediate size of the shared expert; 0 without one
    /// @param sharedGate true if a scalar per token, projected from it, gates the shared expert's result
    /// @param activation combination of gate and up in routed experts
    /// @param sharedActivation combination of gate and up in the shared expert
    /// @param latentWidth width of a token inside the routed experts, to and from which it is projected; 0
    ///     without projection
    /// @param besideDense true if the shared expert is the dense network of the layer: experts and router read
    ///     the residual stream through their own norms, and both results are normalized before they are added
    ///     (Gemma 4)
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
        /// Creates experts without latent projections.
        public RoutedExperts(
                Routing routing,
                int expertWidth,
                int sharedWidth,
                boolean sharedGate,
                GatedActivation activation,
                GatedActivation sharedActivation) {
            this(routing, expertWidth, sharedWidth, sharedGate, activation, sharedActivation, 0, false);
        }

        /// Returns a copy with latent projections of the given width.
        public RoutedExperts within(int latent) {
            return new RoutedExperts(
                    routing, expertWidth, sharedWidth, sharedGate, activation, sharedActivation, latent, besideDense);
        }

        /// Returns a copy whose shared expert is the dense network of the layer.
        public RoutedExperts standingBeside() {
            return new RoutedExperts(
                    routing, expertWidth, sharedWidth, sharedGate, activation, sharedActivation, latentWidth, true);
        }

        /// Creates experts with an ungated shared expert.
        public RoutedExperts(Routing routing, int expertWidth, int sharedWidth) {
            this(routing, expertWidth, sharedWidth, false, GatedActivation.SILU);
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

        /// Returns a copy with another router.
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

        /// Returns the parameters of the norms before the experts and after experts and dense network, `3 h`; 0
        /// without a dense network.
        public long normParameters(long hiddenSize) {
            return besideDense ? 3 * hiddenSize : 0;
        }

        /// Sizes that determine the split over ranks, equal in all layers of a model.
        record Sizes(int experts, int expertsPerToken, int expertWidth, int sharedWidth) {}

        Sizes sizes() {
            return new Sizes(routing.experts(), routing.expertsPerToken(), expertWidth, sharedWidth);
        }

        @Override
        public long parameterCount(int hiddenSize) {
            long inside = latentWidth == 0 ? hiddenSize : latentWidth;
            long networks = activation.matrices()
                    * (inside * routing.experts() * expertWidth + (long) hiddenSize * sharedWidth);
            long latent = latentWidth == 0 ? 0 : (2L * hiddenSize + 1) * latentWidth;
            return networks
                    + latent
                    + routing.parameterCount(hiddenSize)
                    + (sharedGate ? hiddenSize : 0)
                    + normParameters(hiddenSize);
        }
    }

    /// No feed-forward part: a layer with attention alone.
    record Absent() implements FeedForwardSpec {
        @Override
        public long parameterCount(int hiddenSize) {
            return 0;
        }
    }

    /// Routing of tokens to experts.
    ///
    /// @param experts number of routed experts
    /// @param expertsPerToken number of experts a token visits
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
