package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.serving.ServingPoint.Figures;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.RequestMix;
import java.util.List;

/// Prefill and decode on the same devices, prompts of unequal length (mixed batch, later variant in aggregation).
///
/// TTFT is that of disaggregated prefill without a serving cost. Then all `C` requests decode together, with a
/// context of mean length: `tpot = (ttft + D out) / out` in ms, of `out` output tokens at `D` ms each, and
/// `1000 out C / (tpot out)` output tokens per second. Outputs may differ: `out` is their mean then, and a step is
/// that of the requests that the batch holds in the steady state ([DecodeMix]), each with its own context.
/// A whole answer takes `out tpot` ms in the mean, since TPOT has all of its time.
/// Sustained are `1000 C / (prefill + D out)` requests per second, of all prefill passes together.
final class MixedAggregatedServing implements Serving {
    private final Deployment deployment;
    private final ServingTerms terms;
    private final InstancePasses passes;
    private final DecodeSteps steps;
    private final RequestMix mix;

    MixedAggregatedServing(Deployment deployment, ServingTerms terms, InstancePasses passes, RequestMix mix) {
        this.deployment = deployment;
        this.terms = terms;
        this.passes = passes;
        this.steps = DecodeSteps.besidePrefill(deployment, terms, passes);
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
            return point(
                    load,
                    Figures.OUT_OF_MEMORY,
                    new PhaseCosts(prefillCost, null),
                    prefill.passes(),
                    prefill.samples());
        }
        DecodeSteps.Step step = steps.at(load);
        ForwardEstimate decode = step.pass();
        return point(
                load,
                figures(timeline, passes.perToken(decode.latencyMillis()), load.concurrency()),
                new PhaseCosts(prefillCost, new PhaseCost(decode.breakdown().shares(), decode.memory())),
                prefill.passes(),
                step.samples().isEmpty() ? prefill.samples() : step.samples());
    }

    private Figures figures(PrefillTimeline timeline, double decodeMillis, long concurrency) {
        double ttftMillis = terms.accounting().completion().ttftMillis(timeline);
        double outputTokens = terms.workload().outputs().mean();
        double tpotMillis = terms.accounting().tpot().tpotMillis(ttftMillis, decodeMillis, outputTokens);
        double tokensPerSecond = 1000.0 * (outputTokens * concurrency) / (tpotMillis * outputTokens);
        double sustained = Figures.perSecond(concurrency, timeline.endMillis() + decodeMillis * outputTokens);
        return Figures.of(ttftMillis, tpotMillis, tokensPerSecond, sustained, deployment.layout())
                .withRequestLatency(outputTokens * tpotMillis);
    }

    private static ServingPoint point(
            Load load, Figures figures, PhaseCosts costs, int passes, List<LengthSamples> mix) {
        return new ServingPoint(load, figures, costs, passes, mix);
    }
}
