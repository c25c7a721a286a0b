package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.cost.AnalyticCostModel;
import io.throughputoptimizer.core.deployment.Deployment;

/// Prices a forward pass by closed formulas.
public final class AnalyticForwardEstimator implements ForwardEstimator {
    @Override
    public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
        return plan(deployment).estimate(shape);
    }

    /// The estimate together with the operators it is made of.
    ///
    /// @throws IllegalArgumentException when the model cannot be laid out as the deployment says
    public PricedPass price(Deployment deployment, ForwardShape shape) {
        return plan(deployment).price(shape);
    }

    private static PricedPlan plan(Deployment deployment) {
        return new ForwardPlan(deployment)
                .on(
                        deployment.device(),
                        new AnalyticCostModel(deployment.device()),
                        deployment.execution().reservedMemoryBytes());
    }
}
