package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.cost.CostModel;
import io.throughputoptimizer.core.cost.PassPrices;
import io.throughputoptimizer.core.operator.FormTable;
import io.throughputoptimizer.core.operator.Quantities;

/// All passes of one deployment and one kind, with their prices on one kind of device. Immutable.
final class PricedPassPlan {
    private final PassPlan pass;
    private final FormTable forms;
    private final PassPrices prices;
    /// Where the values of the peak's forms are.
    private final int[] peakBytes;

    PricedPassPlan(PassPlan pass, CostModel costs) {
        FormTable.Builder builder = new FormTable.Builder();
        this.pass = pass;
        this.prices = new PassPrices(pass.calls(), costs, builder);
        this.peakBytes = pass.peakBytes().stream().mapToInt(builder::add).toArray();
        this.forms = builder.build();
    }

    PassPlan pass() {
        return pass;
    }

    PassPrices prices() {
        return prices;
    }

    /// Values of all forms in one shape.
    double[] values(Quantities quantities) {
        double[] values = new double[forms.size()];
        forms.evaluate(quantities, values);
        return values;
    }

    /// Tracked peak, from the values of the forms.
    double peakBytes(double[] values) {
        double largest = values[peakBytes[0]];
        for (int place : peakBytes) {
            largest = Math.max(largest, values[place]);
        }
        return largest;
    }
}
