package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.cost.OperatorCost;
import io.throughputoptimizer.core.cost.PassPrices;
import io.throughputoptimizer.core.operator.Quantities;
import java.util.List;

/// A forward pass and what each of its operators costs.
///
/// @param operators every operator that takes time, in order of execution
/// @param recurrent whether the gated delta rule, if there is any, went on from earlier states token by token
public record PricedPass(ForwardEstimate estimate, List<PricedOperator> operators, boolean recurrent) {

    /// One operator of the pass.
    ///
    /// @param inputs shapes and types of the tensors read, such as `[3500, 5120]:float16`
    /// @param calls number of calls, one for each layer that shares the operator
    /// @param cost cost of one call
    public record PricedOperator(String name, List<String> inputs, long calls, OperatorCost cost) {
        static PricedOperator of(PassPrices.PricedOperator priced, Quantities quantities) {
            List<String> inputs = priced.operator().inputs().stream()
                    .map(tensor -> tensor.at(quantities))
                    .toList();
            return new PricedOperator(priced.operator().name(), inputs, priced.calls(), priced.cost());
        }
    }

    public PricedPass {
        operators = List.copyOf(operators);
    }
}
