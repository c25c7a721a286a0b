package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.cost.AnalyticCostModel;
import io.throughputoptimizer.core.deployment.Deployment;

/// Prices forward passes by closed formulas: a deployment's passes are planned once, and then priced for any shape.
public final class AnalyticForwardEstimator implements ForwardEstimator {
    private final ForwardPlanner planner;

    /// Creates an estimator without a cache: it plans each pass again.
    public AnalyticForwardEstimator() {
        this(ForwardPlan::new);
    }

    public AnalyticForwardEstimator(ForwardPlanner planner) {
        this.planner = planner;
    }

    @Override
    public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
        return on(deployment).estimate(shape);
    }

    @Override
    public PricedPlan on(Deployment deployment) {
        return planner.plan(deployment).on(new AnalyticCostModel(deployment.device()), deployment);
    }

    /// The estimate together with the operators it is made of.
    ///
    /// @throws IllegalArgumentException when the model cannot be laid out as the deployment says
    public PricedPass price(Deployment deployment, ForwardShape shape) {
        return on(deployment).price(shape);
    }
}
