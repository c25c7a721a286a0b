package io.throughputoptimizer.core.cost;

import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.FormTable;
import io.throughputoptimizer.core.operator.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Cost of the operators of a pass as a function of its shape. Operators with equal cost, such as those of
/// equal layers, are priced once but added individually, in the order of the pass. Immutable.
public final class PassPrices {
    private static final int PARTS = 5;

    private final List<Operator> operators = new ArrayList<>();
    /// Distinct prices.
    private final OperatorPrice[] prices;
    /// Index of the price of each operator.
    private final int[] priceOf;
    /// Index of the call count of each operator.
    private final int[] calls;

    /// An operator and its number of calls.
    public record Call(Operator operator, Form calls) {}

    /// @param forms collector of the forms that the prices depend on
    public PassPrices(List<Call> pass, AnalyticCostModel costs, FormTable.Builder forms) {
        Map<OperatorPrice, Integer> found = new LinkedHashMap<>();
        List<Integer> places = new ArrayList<>();
        List<Integer> counts = new ArrayList<>();
        for (Call call : pass) {
            OperatorPrice price = costs.price(call.operator(), forms);
            if (!price.equals(OperatorPrice.NOTHING)) {
                operators.add(call.operator());
                places.add(found.computeIfAbsent(price, _ -> found.size()));
                counts.add(forms.add(call.calls()));
            }
        }
        this.prices = found.keySet().toArray(OperatorPrice[]::new);
        this.priceOf = places.stream().mapToInt(Integer::intValue).toArray();
        this.calls = counts.stream().mapToInt(Integer::intValue).toArray();
    }

    /// Returns the number of operators that can take time.
    public int size() {
        return priceOf.length;
    }

    /// Returns the length of the work array of [#total].
    public int parts() {
        return prices.length * PARTS;
    }

    /// Returns the sum over all calls, in the order of the pass.
    ///
    /// @param parts work array; its content is ignored
    public PassCost total(double[] values, double[] parts) {
        fill(parts, values);
        double seconds = 0;
        double memory = 0;
        double communication = 0;
        double matrix = 0;
        double general = 0;
        for (int operator = 0; operator < priceOf.length; operator++) {
            int first = priceOf[operator] * PARTS;
            double count = values[calls[operator]];
            seconds += parts[first] * count;
            memory += parts[first + 1] * count;
            communication += parts[first + 2] * count;
            matrix += parts[first + 3] * count;
            general += parts[first + 4] * count;
        }
        return new PassCost(seconds, new BoundBreakdown(memory, communication, matrix, general));
    }

    /// Fills the work array: for each price the time of a call, then its dominant components.
    private void fill(double[] parts, double[] values) {
        Arrays.fill(parts, 0);
        for (int price = 0; price < prices.length; price++) {
            OperatorCost cost = prices[price].at(values);
            int first = price * PARTS;
            parts[first] = cost.seconds();
            switch (cost.bound()) {
                case MEMORY -> parts[first + 1] = cost.memorySeconds();
                case COMMUNICATION -> parts[first + 2] = cost.communicationSeconds();
                case COMPUTE -> {
                    parts[first + 3] = cost.matrixSeconds();
                    parts[first + 4] = cost.generalSeconds();
                }
            }
        }
    }

    /// Returns the cost of each operator that takes time, in the order of the pass.
    public List<PricedOperator> each(double[] values) {
        List<PricedOperator> priced = new ArrayList<>();
        for (int operator = 0; operator < priceOf.length; operator++) {
            OperatorCost cost = prices[priceOf[operator]].at(values);
            if (cost.seconds() > 0) {
                priced.add(new PricedOperator(operators.get(operator), (long) values[calls[operator]], cost));
            }
        }
        return List.copyOf(priced);
    }

    /// One operator of a pass with its cost.
    ///
    /// @param calls number of calls, one for each layer that shares it
    /// @param cost cost of one call
    public record PricedOperator(Operator operator, long calls, OperatorCost cost) {}
}
