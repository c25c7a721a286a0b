package io.throughputoptimizer.core.silicon;

import java.util.function.ToDoubleFunction;

/// A figure of an Ascend device, whose kernels were measured by single launches: an engine that captures graphs hides
/// an unknown part of them. It has no coverage.
///
/// @param low with all launches for free
/// @param high as priced
public record LaunchRange(double low, double high) {
    /// What stands behind the ends.
    public static final String BASIS = "kernels of single launches, graph capture unknown";

    /// The range of a figure that passes give.
    ///
    /// @throws IllegalArgumentException if the deployment has an obstacle
    public static LaunchRange of(SiliconDeployment deployment, ToDoubleFunction<CalibratedPass> figure) {
        return new LaunchRange(
                figure.applyAsDouble(CalibratedPass.of(deployment.withoutLaunches())),
                figure.applyAsDouble(CalibratedPass.of(deployment)));
    }
}
