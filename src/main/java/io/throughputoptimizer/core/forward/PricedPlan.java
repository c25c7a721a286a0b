package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.cost.AnalyticCostModel;
import io.throughputoptimizer.core.cost.PassCost;
import io.throughputoptimizer.core.forward.attention.AttentionBlock;
import io.throughputoptimizer.core.forward.decoder.PassKind;
import io.throughputoptimizer.core.operator.Quantities;
import io.throughputoptimizer.core.operator.Quantity;
import java.util.List;
import java.util.Map;

/// A deployment's passes with their prices on one kind of device. Latency is the plain sum of operator times: nothing
/// overlaps. Thread-safe.
public final class PricedPlan implements PassEstimator {
    /// Share of the activation that the reference keeps if memory is short and prefill lengths differ.
    private static final double ADJUSTED_ACTIVATION_SHARE = 0.1;

    private final ForwardPlan plan;
    private final AnalyticCostModel costs;
    private final Map<PassKind, PricedPassPlan> passes;
    private final double capacityBytes;
    private final double reservedBytes;

    PricedPlan(
            ForwardPlan plan,
            AnalyticCostModel costs,
            Map<PassKind, PricedPassPlan> passes,
            double capacityBytes,
            double reservedBytes) {
        this.plan = plan;
        this.costs = costs;
        this.passes = passes;
        this.capacityBytes = capacityBytes;
        this.reservedBytes = reservedBytes;
    }

    @Override
    public ForwardEstimate estimate(ForwardShape shape) {
        RankBatch batch = plan.batch(shape);
        Quantities quantities = new Quantities();
        PricedPassPlan pass = pass(plan.read(batch, quantities));
        return estimate(pass, batch, quantities);
    }

    /// The estimate together with the operators it is made of.
    public PricedPass price(ForwardShape shape) {
        RankBatch batch = plan.batch(shape);
        Quantities quantities = new Quantities();
        PassKind kind = plan.read(batch, quantities);
        PricedPassPlan pass = pass(kind);
        List<PricedPass.PricedOperator> operators = pass.operators(quantities).stream()
                .map(operator -> PricedPass.PricedOperator.of(operator, quantities))
                .toList();
        return new PricedPass(
                estimate(pass, batch, quantities), operators, kind.traits().recurrent());
    }

    private PricedPassPlan pass(PassKind kind) {
        PricedPassPlan known = passes.get(kind);
        if (known != null) {
            return known;
        }
        PricedPassPlan met = passes.computeIfAbsent(kind, missing -> plan.price(missing, costs));
        plan.grown();
        return met;
    }

    private ForwardEstimate estimate(PricedPassPlan pass, RankBatch batch, Quantities quantities) {
        PricedPassPlan.Figures figures = pass.figures(quantities);
        PassCost cost = figures.cost();
        MemoryFootprint memory = footprint(pass.pass(), batch, quantities, figures.peakBytes());
        return new ForwardEstimate(cost.seconds() * 1000, cost.breakdown(), memory);
    }

    /// `activation = peak - weights - KV cache`, at least 0. When the pass does not fit and its prefill
    /// lengths differ, the reference keeps a tenth of the activation.
    private MemoryFootprint footprint(PassPlan pass, RankBatch batch, Quantities quantities, double peakBytes) {
        double cache = pass.cacheBytes().at(quantities);
        double perToken = cache / (quantities.get(Quantity.CACHE_BLOCKS) * AttentionBlock.BLOCK_TOKENS);
        double states = pass.stateBytesPerRequest() * quantities.get(Quantity.REQUESTS);
        double activation = Math.max(0, peakBytes - pass.weightBytes() - cache);
        boolean adjusted = batch.mixesPrefillLengths() && capacityBytes - peakBytes - states - reservedBytes < 0;
        return new MemoryFootprint(
                capacityBytes,
                reservedBytes,
                pass.weightBytes(),
                cache,
                perToken,
                states,
                adjusted ? ADJUSTED_ACTIVATION_SHARE * activation : activation,
                adjusted,
                plan.provesMemory(pass, batch));
    }
}
