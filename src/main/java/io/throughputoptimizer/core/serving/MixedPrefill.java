package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.MixedPass;
import io.throughputoptimizer.core.workload.RequestMix;
import java.util.List;

/// Prefill of prompts of unequal length: each data parallel rank holds as many requests, divided over the lengths
/// by the largest remainder, and computes them in the passes that the [Accounting] cuts.
///
/// @param samples requests of one rank by length
/// @param timeline its passes, priced
/// @param passes number of passes cut
record MixedPrefill(List<LengthSamples> samples, PrefillTimeline timeline, int passes) {

    /// @param requests of one rank
    /// @param startMillis time that passes before the first pass
    static MixedPrefill of(
            long requests, double startMillis, RequestMix mix, ServingTerms terms, InstancePasses priced) {
        Accounting accounting = terms.accounting();
        List<LengthSamples> samples = mix.allocate(requests);
        List<MixedPass> cut = accounting.mixedPasses(samples, terms.maxBatchedTokens());
        PrefillTimeline timeline = new PrefillTimeline(accounting, startMillis);
        for (int index = 0; index < cut.size() && !timeline.ended(); index++) {
            timeline.add(priced.mixedPrefill(cut.get(index)), 1, cut.get(index).completed());
        }
        return new MixedPrefill(samples, timeline, cut.size());
    }

    /// Prompt tokens of one rank, those in the prefix cache too.
    long inputTokens() {
        return samples.stream()
                .mapToLong(part -> part.length().inputTokens() * part.samples())
                .sum();
    }
}
