package io.throughputoptimizer.core.cost;

import io.throughputoptimizer.core.operator.FormTable;
import io.throughputoptimizer.core.operator.Operator;

/// What operators cost on one kind of device. Immutable; those that give the same prices are equal.
public sealed interface CostModel permits AnalyticCostModel {

    /// Looks up once what the price of an operator depends on besides the shape of the pass.
    ///
    /// @param forms takes the forms that the price depends on
    OperatorPrice price(Operator operator, FormTable.Builder forms);
}
