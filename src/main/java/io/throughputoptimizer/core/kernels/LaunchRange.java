package io.throughputoptimizer.core.kernels;

import java.util.function.ToDoubleFunction;

/// Range of a figure of an Ascend device, whose kernels were measured by single launches: an engine that
/// captures graphs hides an unknown part of the launch overhead. It has no coverage.
///
/// @param low figure without launch overhead
/// @param high figure with launch overhead
public record LaunchRange(double low, double high) {
    /// Basis of the ends.
    public static final String BASIS = "kernels of single launches, graph capture unknown";

    /// Returns the range of a figure of passes.
    ///
    /// @throws IllegalArgumentException if the deployment is not supported
    public static LaunchRange of(CalibratedDeployment deployment, ToDoubleFunction<CalibratedPass> figure) {
        return new LaunchRange(
                figure.applyAsDouble(CalibratedPass.of(deployment.withoutLaunches())),
                figure.applyAsDouble(CalibratedPass.of(deployment)));
    }
}
