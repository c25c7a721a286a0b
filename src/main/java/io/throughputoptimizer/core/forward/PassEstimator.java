package io.throughputoptimizer.core.forward;

/// Prices the forward passes of one deployment. Implementations are thread-safe, and the same shape gives the same
/// estimate.
@FunctionalInterface
public interface PassEstimator {
    ForwardEstimate estimate(ForwardShape shape);
}
