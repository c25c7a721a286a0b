package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.MixedPass;
import io.throughputoptimizer.core.workload.RepresentativeLength;
import io.throughputoptimizer.core.workload.RequestMix;
import java.util.Iterator;
import java.util.List;
import java.util.function.ToLongFunction;

/// Disaggregated prefill of prompts of unequal length (disaggregation, mixed batch).
///
/// Each data parallel rank holds an equal number of requests, divided over the lengths by the largest remainder, and
/// computes them in the passes of the [Accounting].
///
/// The phase takes `servingCost + sum of all passes` in ms; [Accounting] says what TTFT is. Throughput is
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
        Accounting accounting = terms.accounting();
        List<LengthSamples> samples = terms.prompts(mix, Math.ceilDiv(load.concurrency(), ranks));
        PrefillTimeline timeline = new PrefillTimeline(accounting, terms.servingCostMillis());
        Iterator<MixedPass> cut = accounting.mixedPasses(samples, terms.maxBatchedTokens());
        while (cut.hasNext() && !timeline.ended()) {
            MixedPass pass = cut.next();
            timeline.add(passes.mixedPrefill(pass), 1, pass.completed());
        }
        long count = accounting.mixedPassCount(samples, terms.maxBatchedTokens());
        double millis = timeline.endMillis();
        double tokensPerSecond =
                millis > 0 ? tokens(samples, RepresentativeLength::inputTokens) * ranks / millis * 1000 : 0;
        double requests = tokens(samples, RepresentativeLength::queryLength) * ranks / mix.meanNewTokens();
        double ttftMillis = accounting.ttftMillis(timeline);
        return new ServingPoint(
                load,
                Figures.of(
                        ttftMillis,
                        null,
                        tokensPerSecond,
                        timeline.ended() ? 0 : Figures.perSecond(requests, millis),
                        ttftMillis,
                        null,
                        deployment.layout()),
                PhaseCosts.ofPrefill(timeline.meanShares(), timeline.memory()),
                (int) Math.min(count, Integer.MAX_VALUE),
                samples);
    }

    /// Tokens of one rank.
    private static long tokens(List<LengthSamples> samples, ToLongFunction<RepresentativeLength> each) {
        return samples.stream()
                .mapToLong(part -> each.applyAsLong(part.length()) * part.samples())
                .sum();
    }
}
