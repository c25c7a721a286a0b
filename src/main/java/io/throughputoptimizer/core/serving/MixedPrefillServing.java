package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.serving.ServingPoint.Figures;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.RequestMix;

/// Disaggregated prefill of prompts of unequal length (disaggregation, mixed batch).
///
/// The phase takes `servingCost + sum of all passes` in ms; [Completion] says what TTFT is. Throughput is
/// `sum(inputTokens * samples) * dp / phase * 1000`, of the requests of each of the `dp` ranks.
/// Sustained are the new tokens per second over those of a mean request, so that a batch too small for every length
/// counts as the traffic does.
final class MixedPrefillServing implements Serving {
    private final Deployment deployment;
    private final ServingTerms terms;
    private final InstancePasses passes;
    private final RequestMix mix;

    MixedPrefillServing(Deployment deployment, ServingTerms terms, InstancePasses passes, RequestMix mix) {
        this.deployment = deployment;
        this.terms = terms;
        this.passes = passes;
        this.mix = mix;
    }

    @Override
    public ServingPoint at(long batchSize) {
        Load load = Load.of(batchSize, deployment.layout());
        int ranks = deployment.layout().dp();
        MixedPrefill prefill =
                MixedPrefill.of(Math.ceilDiv(load.concurrency(), ranks), terms.servingCostMillis(), mix, terms, passes);
        PrefillTimeline timeline = prefill.timeline();
        double millis = timeline.endMillis();
        double tokensPerSecond = millis > 0 ? prefill.inputTokens() * ranks / millis * 1000 : 0;
        return new ServingPoint(
                load,
                Figures.ofPrefill(
                        terms.accounting().completion().ttftMillis(timeline),
                        tokensPerSecond,
                        timeline.ended()
                                ? 0
                                : Figures.perSecond(prefill.newTokens() * ranks / mix.meanNewTokens(), millis),
                        deployment.layout()),
                PhaseCosts.ofPrefill(timeline.meanShares(), timeline.memory()),
                prefill.passes(),
                prefill.samples());
    }
}
