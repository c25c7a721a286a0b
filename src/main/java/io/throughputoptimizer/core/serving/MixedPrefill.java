package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.MixedPass;
import io.throughputoptimizer.core.workload.RequestMix;
import java.util.Iterator;
import java.util.List;

/// Prefill of prompts of unequal length: each data parallel rank holds as many requests, divided over the lengths
/// by the largest remainder, and computes them in the passes that the [TokenBudget] cuts.
///
/// @param samples requests of one rank by length
/// @param timeline its passes, priced
/// @param passes number of passes cut; pricing more than an `int` holds would take too long
record MixedPrefill(List<LengthSamples> samples, PrefillTimeline timeline, int passes) {

    /// @param requests number of requests of one rank
    /// @param startMillis time that passes before the first pass
    static MixedPrefill of(
            long requests, double startMillis, RequestMix mix, ServingTerms terms, InstancePasses priced) {
        TokenBudget budget = terms.accounting().budget();
        List<LengthSamples> samples = terms.prompts(mix, requests);
        Iterator<MixedPass> cut = budget.mixedPasses(samples, terms.maxBatchedTokens());
        PrefillTimeline timeline = new PrefillTimeline(terms.accounting(), startMillis);
        while (cut.hasNext() && !timeline.ended()) {
            MixedPass pass = cut.next();
            timeline.add(priced.mixedPrefill(pass), 1, pass.completed());
        }
        long passes = budget.mixedPassCount(samples, terms.maxBatchedTokens());
        return new MixedPrefill(samples, timeline, (int) Math.min(passes, Integer.MAX_VALUE));
    }

    /// Prompt tokens that one rank computes.
    long newTokens() {
        return samples.stream()
                .mapToLong(part -> part.length().queryLength() * part.samples())
                .sum();
    }

    /// Prompt tokens of one rank, those in the prefix cache too.
    long inputTokens() {
        return samples.stream()
                .mapToLong(part -> part.length().inputTokens() * part.samples())
                .sum();
    }
}
