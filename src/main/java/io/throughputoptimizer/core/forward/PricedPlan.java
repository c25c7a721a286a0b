package io.throughputoptimizer.core.forward;

import static io.throughputoptimizer.core.operator.Quantity.CACHE_BLOCKS;

import io.throughputoptimizer.core.cost.CostModel;
import io.throughputoptimizer.core.cost.PassCost;
import io.throughputoptimizer.core.cost.PassPrices;
import io.throughputoptimizer.core.operator.FormTable;
import io.throughputoptimizer.core.operator.Quantity;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A deployment's passes with their prices on one kind of device. Latency is the plain sum of operator times: nothing
/// overlaps. Thread-safe.
public final class PricedPlan {
    /// What the reference leaves of the activation when memory is short and prefill lengths differ.
    private static final double ADJUSTED_ACTIVATION_SHARE = 0.1;

    private final ForwardPlan plan;
    private final CostModel costs;
    private final double capacityBytes;
    private final double reservedBytes;
    private final Map<PassKind, Priced> passes = new ConcurrentHashMap<>();

    PricedPlan(ForwardPlan plan, CostModel costs, double capacityBytes, double reservedBytes) {
        this.plan = plan;
        this.costs = costs;
        this.capacityBytes = capacityBytes;
        this.reservedBytes = reservedBytes;
    }

    /// A pass with its prices.
    ///
    /// @param peakBytes where the values of its peak's forms are
    private record Priced(PassPlan pass, FormTable forms, PassPrices prices, int[] peakBytes) {
        static Priced of(PassPlan pass, CostModel costs) {
            FormTable.Builder forms = new FormTable.Builder();
            PassPrices prices = new PassPrices(pass.calls(), costs, forms);
            int[] peak = pass.peakBytes().stream().mapToInt(forms::add).toArray();
            return new Priced(pass, forms.build(), prices, peak);
        }

        double peakBytes(double[] values) {
            double largest = values[peakBytes[0]];
            for (int place : peakBytes) {
                largest = Math.max(largest, values[place]);
            }
            return largest;
        }
    }

    public ForwardEstimate estimate(ForwardShape shape) {
        RankBatch batch = plan.batch(shape);
        double[] quantities = new double[Quantity.count()];
        Priced priced = priced(plan.read(batch, quantities));
        double[] values = new double[priced.forms.size()];
        priced.forms.evaluate(quantities, values);
        return estimate(batch, priced, quantities, values);
    }

    /// The estimate together with the operators it is made of.
    public PricedPass price(ForwardShape shape) {
        RankBatch batch = plan.batch(shape);
        double[] quantities = new double[Quantity.count()];
        Priced priced = priced(plan.read(batch, quantities));
        double[] values = new double[priced.forms.size()];
        priced.forms.evaluate(quantities, values);
        List<PricedPass.PricedOperator> operators = priced.prices.each(values).stream()
                .map(operator -> PricedPass.PricedOperator.of(operator, quantities))
                .toList();
        return new PricedPass(estimate(batch, priced, quantities, values), operators);
    }

    private Priced priced(PassKind kind) {
        Priced known = passes.get(kind);
        return known != null ? known : passes.computeIfAbsent(kind, met -> Priced.of(plan.pass(met), costs));
    }

    private ForwardEstimate estimate(RankBatch batch, Priced priced, double[] quantities, double[] values) {
        PassCost cost = priced.prices.total(values);
        MemoryFootprint memory =
                footprint(batch, priced.pass, quantities[CACHE_BLOCKS.ordinal()], priced.peakBytes(values));
        return new ForwardEstimate(cost.seconds() * 1000, cost.breakdown(), memory);
    }

    /// `activation = peak - weights - KV cache`, at least 0. When the pass does not fit and its prefill
    /// lengths differ, the reference keeps a tenth of the activation.
    private MemoryFootprint footprint(RankBatch batch, PassPlan pass, double blocks, double peakBytes) {
        double cache = pass.cacheBytesPerToken() * blocks * RankBatch.BLOCK_TOKENS;
        double activation = Math.max(0, peakBytes - pass.weightBytes() - cache);
        boolean adjusted = batch.mixesPrefillLengths() && capacityBytes - peakBytes - reservedBytes < 0;
        return new MemoryFootprint(
                capacityBytes,
                reservedBytes,
                pass.weightBytes(),
                cache,
                pass.cacheBytesPerToken(),
                adjusted ? ADJUSTED_ACTIVATION_SHARE * activation : activation,
                adjusted,
                plan.provesMemory(pass, batch));
    }
}
