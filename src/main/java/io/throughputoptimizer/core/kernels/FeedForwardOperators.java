package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.kernels.operator.Collective;
import io.throughputoptimizer.core.kernels.operator.Experts;
import io.throughputoptimizer.core.kernels.operator.Kernels.Priced;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.GatedActivation;

/// Operators of the feed-forward half of layers that are alike.
final class FeedForwardOperators {
    private static final String ALL_REDUCE = "mlp_all_reduce";

    private final CalibratedDeployment deployment;
    private final PassBuilder pass;
    private final double hidden;
    /// Width of tokens within the routed experts.
    private final double inside;

    private final int tp;
    private final int ranks;

    FeedForwardOperators(CalibratedDeployment deployment, PassBuilder pass) {
        this.deployment = deployment;
        this.pass = pass;
        this.hidden = deployment.model().hiddenSize();
        this.inside = deployment.model().experts().map(this::inside).orElse(hidden);
        this.tp = deployment.layout().tp();
        this.ranks = deployment.layout().deviceCount();
    }

    private double inside(FeedForwardSpec.RoutedExperts routed) {
        return routed.latentWidth() == 0 ? hidden : routed.latentWidth();
    }

    void write(FeedForwardSpec feedForward, int layers) {
        switch (feedForward) {
            case FeedForwardSpec.Absent _ -> {}
            case FeedForwardSpec.Dense dense -> {
                network(layers, (double) dense.intermediateSize() / tp, dense.activation());
                pass.collective(ALL_REDUCE, layers, Collective.Kind.ALL_REDUCE, tp, 2 * hidden);
            }
            case FeedForwardSpec.RoutedExperts routed -> writeRouted(routed, layers);
        }
    }

    /// Adds a network that every token passes.
    private void network(int layers, double inner, GatedActivation activation) {
        ProductType type = deployment.precision().scheme().dense();
        boolean gated = activation.isGated();
        pass.quantise("quantise_mlp", layers, type, hidden);
        pass.linear(gated ? "gate_up" : "up", layers, type, (activation.matrices() - 1) * inner, hidden);
        pass.move("activation", layers, (gated ? 6 : 4) * inner);
        pass.quantise("quantise_down", layers, type, inner);
        pass.linear("down", layers, type, hidden, inner);
    }

    private void writeRouted(FeedForwardSpec.RoutedExperts routed, int layers) {
        FeedForwardSpec.Routing routing = routed.routing();
        if (routed.besideDense()) {
            pass.move("expert_norms", 3 * layers, 4 * hidden);
        }
        pass.linear("router", layers, ProductType.BFLOAT16, routing.experts(), hidden);
        pass.move("top_k", layers, 6.0 * routing.experts());
        boolean isNarrower = routed.latentWidth() > 0;
        if (isNarrower) {
            pass.linear("latent_down", layers, ProductType.BFLOAT16, inside, hidden);
            if (routed.activation().isGated()) {
                pass.move("latent_expert_norm", layers, 4 * inside);
            }
        }
        spread(routing, layers);
        experts(routed, layers);
        if (routed.sharedWidth() > 0) {
            network(layers, SharedExperts.width(routed, deployment), routed.sharedActivation());
            if (routed.sharedGate()) {
                pass.move("shared_merge", layers, 8 * hidden);
            }
        }
        collect(routing, layers);
        if (isNarrower) {
            pass.linear("latent_up", layers, ProductType.BFLOAT16, hidden, inside);
            if (!deployment.isDataParallel()) {
                pass.collective("latent_all_reduce", layers, Collective.Kind.ALL_REDUCE, tp, 2 * inside);
            }
        }
    }

    /// Brings the tokens of all ranks to their experts. Without data parallelism each rank has them already.
    private void spread(FeedForwardSpec.Routing routing, int layers) {
        if (deployment.dispatches()) {
            pass.collective("dispatch", layers, Collective.Kind.ALLTOALL, ranks, copies(routing) * inside);
        } else if (deployment.isDataParallel()) {
            pass.collective("gather_tokens", layers, Collective.Kind.ALL_GATHER, ranks, gatheredBytes());
        }
    }

    private void collect(FeedForwardSpec.Routing routing, int layers) {
        if (deployment.dispatches()) {
            pass.collective("combine", layers, Collective.Kind.ALLTOALL, ranks, 2 * copies(routing) * inside);
        } else if (deployment.isDataParallel()) {
            pass.collective("scatter_tokens", layers, Collective.Kind.REDUCE_SCATTER, ranks, gatheredBytes());
        } else {
            pass.collective(ALL_REDUCE, layers, Collective.Kind.ALL_REDUCE, tp, 2 * hidden);
        }
    }

    /// Returns the number of expert groups that a token is sent to.
    private double copies(FeedForwardSpec.Routing routing) {
        return Math.min(routing.expertsPerToken(), deployment.ep());
    }

    private double gatheredBytes() {
        return 2 * deployment.layout().dp() * inside;
    }

    /// Adds the routed experts of a rank. Tokens choose independently, so `E/ep (1 - (1 - k/E)^G)` experts get
    /// any.
    private void experts(FeedForwardSpec.RoutedExperts routed, int layers) {
        FeedForwardSpec.Routing routing = routed.routing();
        double perToken = routing.expertsPerToken();
        double ep = deployment.ep();
        double owned = routing.experts() / ep;
        double logMissed = Math.log1p(-perToken / routing.experts());
        double permutedShare = deployment.dispatches() ? 1 / ep : 1;
        int dp = deployment.layout().dp();
        var shape = new Experts.Shape(inside, (double) routed.expertWidth() / deployment.moeTp(), perToken);
        Priced<Experts> priced = pass.kernels()
                .experts(
                        deployment
                                .precision()
                                .scheme()
                                .experts(deployment.calibration().peaks()),
                        routed.activation().isGated());
        Experts kernel = priced.kernel();
        pass.add("experts", OperatorClass.EXPERTS, layers, priced.use(), (tokens, _, _) -> {
            double seen = tokens * dp;
            double live = owned * -Math.expm1(seen * logMissed);
            return kernel.microseconds(shape, seen * perToken / ep, live, seen * permutedShare);
        });
    }

    /// Shared experts, the network that every token visits in addition to its routed experts.
    static final class SharedExperts {
        private SharedExperts() {}

        /// Returns the width on a rank: sharded over tensor parallel ranks, or whole if attention is data parallel.
        static double width(FeedForwardSpec.RoutedExperts routed, CalibratedDeployment deployment) {
            double parts = deployment.isDataParallel() ? 1 : deployment.layout().tp();
            return routed.sharedWidth() / parts;
        }
    }
}
