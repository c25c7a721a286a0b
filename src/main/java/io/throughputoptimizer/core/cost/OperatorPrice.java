package io.throughputoptimizer.core.cost;

/// What one operator costs in any shape of a pass. Immutable; those of one model that cost the same are equal.
public interface OperatorPrice {
    /// Of views and other operators that never take time.
    OperatorPrice NOTHING = _ -> OperatorCost.FREE;

    /// @param values of the forms that the price depends on
    OperatorCost at(double[] values);
}
