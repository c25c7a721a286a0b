package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.ResultRow.Breakdowns;
import io.throughputoptimizer.core.search.ResultRow.CompositionRow;
import io.throughputoptimizer.core.search.ResultRow.Figures;
import io.throughputoptimizer.core.search.ResultRow.PrefillPlan;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.ServingPoint;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
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
                figures(point),
                new PrefillPlan(
                        candidate.terms().workload().effectiveInputLength(),
                        candidate.terms().maxBatchedTokens(),
                        point.prefillChunks()),
                breakdowns(point.costs()),
                point.costs().memory(),
                point.mix().isEmpty() ? List.of() : composition(point),
                point.mix().isEmpty() ? 0 : leftOutRatio(point),
                Set.of());
    }

    /// Requests per second come from the rounded latencies, as tables show them.
    private Figures figures(ServingPoint point) {
        @Nullable Double ttft = Rounding.orAbsent(point.figures().ttftMillis());
        @Nullable Double tpot = Rounding.orAbsent(point.figures().tpotMillis());
        OptionalDouble qps = candidate
                .terms()
                .accounting()
                .qps(point, ttft, tpot, candidate.terms().workload().outputs().mean());
        return new Figures(
                ttft,
                tpot,
                Rounding.toThousandths(point.figures().tokensPerSecond()),
                Rounding.toThousandths(point.figures().tokensPerSecondPerDevice()),
                qps.isPresent() ? qps.getAsDouble() : null,
                point.figures().sustainedQps(),
                Rounding.orAbsent(point.figures().requestLatencyMillis()));
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
                        part.length().queryLength(),
                        part.decoding(),
                        Rounding.toThousandths(part.length().requestRatio()),
                        part.samples() * candidate.layout().dp()))
                .sorted(Comparator.comparingInt(CompositionRow::inputTokens))
                .toList();
    }

    /// `1 - sum(requestRatio)` of the lengths that have a request; all requests have a length.
    private static double leftOutRatio(ServingPoint point) {
        double held = point.mix().stream()
                .mapToDouble(part -> part.length().requestRatio())
                .sum();
        return Math.max(0, Rounding.toMillionths(1 - held));
    }
}
