package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.cost.AnalyticCostModel;
import io.throughputoptimizer.core.cost.PassCost;
import io.throughputoptimizer.core.cost.PassPrices;
import io.throughputoptimizer.core.operator.FormTable;
import io.throughputoptimizer.core.operator.Quantities;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// All passes of one deployment and one kind, with their prices on one kind of device. Thread-safe.
final class PricedPassPlan {
    private final PassPlan pass;
    private final FormTable forms;
    private final PassPrices prices;
    /// Indices of the peak's forms in the table.
    private final int[] peakBytes;
    private final AtomicReference<@Nullable Room> spare = new AtomicReference<>();

    PricedPassPlan(PassPlan pass, AnalyticCostModel costs) {
        FormTable.Builder builder = new FormTable.Builder();
        this.pass = pass;
        this.prices = new PassPrices(pass.calls(), costs, builder);
        this.peakBytes = pass.peakBytes().stream().mapToInt(builder::add).toArray();
        this.forms = builder.build();
    }

    PassPlan pass() {
        return pass;
    }

    /// Operators that may take time.
    int size() {
        return prices.size();
    }

    /// Room for what an estimate works out on its way; spared from one to the next.
    private static final class Room {
        private final double[] values;
        private final double[] parts;

        private Room(int values, int parts) {
            this.values = new double[values];
            this.parts = new double[parts];
        }
    }

    /// Cost and peak memory of passes, independent of the device's capacity.
    record Figures(PassCost cost, double peakBytes) {}

    Figures figures(Quantities quantities) {
        Room known = spare.getAndSet(null);
        Room room = known == null ? new Room(forms.size(), prices.parts()) : known;
        forms.evaluate(quantities, room.values);
        Figures figures = new Figures(prices.total(room.values, room.parts), peakBytes(room.values));
        spare.set(room);
        return figures;
    }

    /// Each operator that takes time.
    List<PassPrices.PricedOperator> operators(Quantities quantities) {
        double[] values = new double[forms.size()];
        forms.evaluate(quantities, values);
        return prices.each(values);
    }

    private double peakBytes(double[] values) {
        double largest = values[peakBytes[0]];
        for (int place : peakBytes) {
            largest = Math.max(largest, values[place]);
        }
        return largest;
    }
}
