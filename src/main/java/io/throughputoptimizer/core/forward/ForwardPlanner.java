package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.Deployment;

/// A source of forward plans. Implementations are thread-safe.
@FunctionalInterface
public interface ForwardPlanner {
    /// The plan of a deployment, whatever its device.
    ///
    /// @throws IllegalArgumentException when the model cannot be laid out as the deployment says
    ///     ([Deployment#obstacle()])
    ForwardPlan plan(Deployment deployment);
}
