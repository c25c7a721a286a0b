package io.throughputoptimizer.core.serving;

/// What the evaluation of one batch size may take: memory of this process, and steps of a simulation.
@FunctionalInterface
public interface SimulationAllowance {
    /// As much as there is.
    SimulationAllowance UNLIMITED = bytes -> {};

    /// Says how much is held at this moment; fails when it is too much.
    void require(long bytes);

    /// Says that another step was walked, or a row of equal steps at once; fails when there shall be no more.
    default void stepped() {}
}
