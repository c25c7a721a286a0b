package io.throughputoptimizer.core.serving;

/// Limits on the evaluation of one batch size: process memory and simulation steps.
@FunctionalInterface
public interface SimulationAllowance {
    /// No limits.
    SimulationAllowance UNLIMITED = bytes -> {};

    /// Says how much is held at this moment; fails when it is too much.
    void require(long bytes);

    /// Counts another step, or a row of equal steps at once; fails if the limit is reached.
    default void stepped() {}
}
