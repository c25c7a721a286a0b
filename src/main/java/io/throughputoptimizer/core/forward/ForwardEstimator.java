package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.Deployment;

/// Prices a forward pass. Implementations are thread-safe, and the same arguments give the same estimate.
@FunctionalInterface
public interface ForwardEstimator {
    /// @throws IllegalArgumentException when the model cannot be laid out as the deployment says
    ///     ([Deployment#obstacle()])
    ForwardEstimate estimate(Deployment deployment, ForwardShape shape);

    /// Prices many passes of one deployment: what they have in common is looked up once.
    ///
    /// @throws IllegalArgumentException when the model cannot be laid out as the deployment says
    default PassEstimator on(Deployment deployment) {
        return shape -> estimate(deployment, shape);
    }
}
