package io.throughputoptimizer.core.cost;

/// Cost of one operator as a function of the shape of a pass. Immutable; equal costs of one model are equal.
public interface OperatorPrice {
    /// Price of views and other operators without time.
    OperatorPrice NOTHING = _ -> OperatorCost.FREE;

    /// @param values values of the forms that the price depends on
    OperatorCost at(double[] values);
}
