package io.throughputoptimizer.core.cost;

import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.FormTable;
import io.throughputoptimizer.core.operator.Operator;
import java.util.ArrayList;
import java.util.List;

/// What the operators of a pass cost in any shape. Immutable.
public final class PassPrices {
    private final List<Operator> operators = new ArrayList<>();
    private final OperatorPrice[] prices;
    /// Of each operator, where the number of its calls is.
    private final int[] calls;

    /// An operator and how often it runs.
    public record Call(Operator operator, Form calls) {}

    /// @param forms takes the forms that the prices depend on
    public PassPrices(List<Call> pass, CostModel costs, FormTable.Builder forms) {
        List<OperatorPrice> found = new ArrayList<>();
        List<Form> counts = new ArrayList<>();
        for (Call call : pass) {
            OperatorPrice price = costs.price(call.operator(), forms);
            if (!price.equals(OperatorPrice.NOTHING)) {
                operators.add(call.operator());
                found.add(price);
                counts.add(call.calls());
            }
        }
        this.prices = found.toArray(OperatorPrice[]::new);
        this.calls = counts.stream().mapToInt(forms::add).toArray();
    }

    /// Operators that may take time.
    public int size() {
        return prices.length;
    }

    /// Sum over all calls, in the order of the pass.
    public PassCost total(double[] values) {
        double seconds = 0;
        double memory = 0;
        double communication = 0;
        double matrix = 0;
        double general = 0;
        for (int operator = 0; operator < prices.length; operator++) {
            OperatorCost cost = prices[operator].at(values);
            double count = values[calls[operator]];
            seconds += cost.seconds() * count;
            switch (cost.bound()) {
                case MEMORY -> memory += cost.memorySeconds() * count;
                case COMMUNICATION -> communication += cost.communicationSeconds() * count;
                case COMPUTE -> {
                    matrix += cost.matrixSeconds() * count;
                    general += cost.generalSeconds() * count;
                }
            }
        }
        return new PassCost(seconds, new BoundBreakdown(memory, communication, matrix, general));
    }

    /// What each operator that takes time costs, in the order of the pass.
    public List<PricedOperator> each(double[] values) {
        List<PricedOperator> priced = new ArrayList<>();
        for (int operator = 0; operator < prices.length; operator++) {
            OperatorCost cost = prices[operator].at(values);
            if (cost.seconds() > 0) {
                priced.add(new PricedOperator(operators.get(operator), (long) values[calls[operator]], cost));
            }
        }
        return List.copyOf(priced);
    }

    /// One operator of a pass.
    ///
    /// @param calls how often it runs, once for each of the layers that share it
    /// @param cost of one call
    public record PricedOperator(Operator operator, long calls, OperatorCost cost) {}
}
