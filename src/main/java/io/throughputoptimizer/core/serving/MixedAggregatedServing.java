package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.serving.ServingPoint.Figures;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.RequestMix;

/// Prefill and decode on the same devices, prompts of unequal length (mixed batch, later variant in aggregation).
///
/// TTFT is that of disaggregated prefill without a serving cost. Then all `C` requests decode together, with a
/// context of mean length: `tpot = (ttft + D out) / out` in ms, of `out` output tokens at `D` ms each, and
/// `1000 out C / (tpot out)` output tokens per second.
final class MixedAggregatedServing implements Serving {
    private final Deployment deployment;
    private final ServingTerms terms;
    private final InstancePasses passes;
    private final RequestMix mix;

    MixedAggregatedServing(Deployment deployment, ServingTerms terms, InstancePasses passes, RequestMix mix) {
        this.deployment = deployment;
        this.terms = terms;
        this.passes = passes;
        this.mix = mix;
    }

    @Override
    public ServingPoint at(long batchSize) {
        Load load = Load.of(batchSize, deployment.layout());
        MixedPrefill prefill = MixedPrefill.of(
                Math.ceilDiv(load.concurrency(), deployment.layout().dp()), 0, mix, terms, passes);
        PrefillTimeline timeline = prefill.timeline();
        PhaseCost prefillCost = new PhaseCost(timeline.sharesOfTime(), timeline.memory());
        if (timeline.ended()) {
            return point(load, Figures.OUT_OF_MEMORY, new PhaseCosts(prefillCost, null), prefill);
        }
        ForwardEstimate decode = passes.decode(load.concurrency(), load);
        return point(
                load,
                figures(
                        terms.accounting().completion().ttftMillis(timeline),
                        passes.perToken(decode.latencyMillis()),
                        load.concurrency()),
                new PhaseCosts(prefillCost, new PhaseCost(decode.breakdown().shares(), decode.memory())),
                prefill);
    }

    private Figures figures(double ttftMillis, double decodeMillis, long concurrency) {
        int outputTokens = terms.workload().outputTokens();
        double tpotMillis = terms.accounting().tpot().tpotMillis(ttftMillis, decodeMillis, outputTokens);
        double tokensPerSecond = 1000.0 * (outputTokens * concurrency) / (tpotMillis * outputTokens);
        return Figures.of(ttftMillis, tpotMillis, tokensPerSecond, deployment.layout());
    }

    private static ServingPoint point(Load load, Figures figures, PhaseCosts costs, MixedPrefill prefill) {
        return new ServingPoint(load, figures, costs, prefill.passes(), prefill.samples());
    }
}
