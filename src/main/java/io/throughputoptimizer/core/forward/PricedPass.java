package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.cost.OperatorCost;
import io.throughputoptimizer.core.operator.Operator;
import java.util.List;

/// A forward pass and what each of its operators costs.
///
/// @param operators every operator that takes time, in order of execution
public record PricedPass(ForwardEstimate estimate, List<PricedOperator> operators) {

    /// One operator of the pass.
    ///
    /// @param calls how often it runs, once for each of the layers that share it
    /// @param cost of one call
    public record PricedOperator(Operator operator, long calls, OperatorCost cost) {}

    public PricedPass {
        operators = List.copyOf(operators);
    }
}
