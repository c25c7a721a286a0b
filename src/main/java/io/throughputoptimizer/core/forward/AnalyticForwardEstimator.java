package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.cost.BoundBreakdown;
import io.throughputoptimizer.core.cost.OperatorCost;
import io.throughputoptimizer.core.cost.OperatorCostModel;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.operator.Operator;
import java.util.ArrayList;
import java.util.List;

/// Prices a forward pass by closed formulas: writes down its operators, sums their costs, replays their
/// memory.
///
/// Latency is the plain sum of operator times: nothing overlaps.
public final class AnalyticForwardEstimator implements ForwardEstimator {
    /// What the reference leaves of the activation when memory is short and prefill lengths differ.
    private static final double ADJUSTED_ACTIVATION_SHARE = 0.1;

    @Override
    public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
        return price(deployment, shape).estimate();
    }

    /// The estimate together with the operators it is made of.
    ///
    /// @throws IllegalArgumentException when the model cannot be laid out as the deployment says
    public PricedPass price(Deployment deployment, ForwardShape shape) {
        deployment.obstacle().ifPresent(obstacle -> {
            throw new IllegalArgumentException(obstacle);
        });
        RankBatch batch = RankBatch.of(shape, deployment);
        DecoderPass decoder = new DecoderPass(deployment, batch);
        ForwardPass pass = decoder.record();
        Bill bill = new Bill(new OperatorCostModel(deployment.device()));
        bill.add(pass.root(), 1);
        MemoryFootprint memory = footprint(deployment, batch, decoder, MemoryLedger.peakBytes(pass));
        return new PricedPass(new ForwardEstimate(bill.seconds * 1000, bill.breakdown, memory), bill.priced);
    }

    /// Sum of all costs so far.
    private static final class Bill {
        private final OperatorCostModel costs;
        private final List<PricedPass.PricedOperator> priced = new ArrayList<>();
        private double seconds;
        private BoundBreakdown breakdown = BoundBreakdown.ZERO;

        private Bill(OperatorCostModel costs) {
            this.costs = costs;
        }

        private void add(ForwardPass.Segment segment, long runs) {
            for (ForwardPass.Step step : segment.steps()) {
                switch (step) {
                    case ForwardPass.Segment inner -> add(inner, runs * inner.repetitions());
                    case ForwardPass.Call call -> add(call.operator(), runs);
                }
            }
        }

        private void add(Operator operator, long calls) {
            OperatorCost cost = costs.cost(operator);
            if (cost.seconds() > 0) {
                seconds += cost.seconds() * calls;
                breakdown = breakdown.plus(cost.dominant().times(calls));
                priced.add(new PricedPass.PricedOperator(operator, calls, cost));
            }
        }
    }

    /// `activation = peak - weights - KV cache`, at least 0. When the pass does not fit and its prefill
    /// lengths differ, the reference keeps a tenth of the activation.
    private static MemoryFootprint footprint(
            Deployment deployment, RankBatch batch, DecoderPass decoder, double peakBytes) {
        double weights = decoder.weightBytes();
        double perToken = decoder.cacheBytesPerToken();
        double cache = perToken * batch.cacheBlocks() * RankBatch.BLOCK_TOKENS;
        double activation = Math.max(0, peakBytes - weights - cache);
        double capacity = deployment.device().memory().capacityBytes();
        double reserved = deployment.execution().reservedMemoryBytes();
        boolean adjusted = batch.mixedPrefill() && capacity - peakBytes - reserved < 0;
        return new MemoryFootprint(
                capacity,
                reserved,
                weights,
                cache,
                perToken,
                adjusted ? ADJUSTED_ACTIVATION_SHARE * activation : activation,
                adjusted,
                decoder.isMemoryProved());
    }
}
