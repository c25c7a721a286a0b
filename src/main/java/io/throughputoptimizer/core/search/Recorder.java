package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.load.PrefixCacheStats;
import io.throughputoptimizer.core.search.ResultRow.Breakdowns;
import io.throughputoptimizer.core.search.ResultRow.CompositionRow;
import io.throughputoptimizer.core.search.ResultRow.PrefillPlan;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.Conversation;
import io.throughputoptimizer.core.workload.RepresentativeLength;
import io.throughputoptimizer.core.workload.Workload;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns the serving points of one candidate into rows, rounded to 3 decimals.
record Recorder(Candidate candidate) {

    ResultRow row(ServingPoint point) {
        return new ResultRow(
                null,
                candidate,
                point.load().batchSize(),
                point.load().concurrency(),
                Rounding.rounded(point.figures()),
                new PrefillPlan(
                        effectiveInputLength(point.figures().kept()),
                        candidate.terms().maxBatchedTokens(),
                        point.prefillChunks()),
                breakdowns(point.costs()),
                point.costs().memory(),
                point.mix().isEmpty() ? List.of() : composition(point),
                point.mix().isEmpty() ? 0 : omittedRatio(point),
                Set.of());
    }

    /// Returns the computed prompt tokens of a request length; for turns those after a cache hit.
    private int computed(RepresentativeLength length) {
        Conversation conversation = candidate.terms().workload().conversation();
        return conversation == null ? length.queryLength() : conversation.computed(length.inputTokens());
    }

    private int effectiveInputLength(@Nullable PrefixCacheStats kept) {
        Workload workload = candidate.terms().workload();
        Conversation conversation = workload.conversation();
        return kept == null || conversation == null
                ? workload.effectiveInputLength()
                : Math.max(1, (int) Math.floor((1 - kept.hitRate()) * conversation.meanPrompt()));
    }

    private static Breakdowns breakdowns(ServingPoint.PhaseCosts costs) {
        ServingPoint.PhaseCost prefill = costs.prefill();
        ServingPoint.PhaseCost decode = costs.decode();
        return new Breakdowns(prefill == null ? null : prefill.shares(), decode == null ? null : decode.shares());
    }

    /// Samples of one rank times the ranks, so that they add up to the concurrency.
    private List<CompositionRow> composition(ServingPoint point) {
        return point.mix().stream()
                .map(part -> new CompositionRow(
                        part.length().inputTokens(),
                        computed(part.length()),
                        part.decoding(),
                        Rounding.toThousandths(part.length().requestRatio()),
                        part.samples() * candidate.layout().dp()))
                .sorted(Comparator.comparingInt(CompositionRow::inputTokens))
                .toList();
    }

    /// Returns `1 - sum(requestRatio)` over the lengths that have a request; 0 if all have one.
    private static double omittedRatio(ServingPoint point) {
        double held = point.mix().stream()
                .mapToDouble(part -> part.length().requestRatio())
                .sum();
        return Math.max(0, Rounding.toMillionths(1 - held));
    }
}
