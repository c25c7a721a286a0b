package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// Search result of one phase on one kind of device.
///
/// @param deviceCount devices of one searched instance, of the largest if there are several sizes
/// @param rows best row per candidate, ranked by throughput; the first is the best
/// @param rejected candidates without a row, in candidate order
/// @param points memory-feasible probes, each once, in candidate order and by batch size within a candidate;
///     thinned for candidates with very many ([ThinnedPoints])
/// @param omittedPoints number of memory-feasible points that thinning dropped
/// @param recorded recorded rows, in candidate order and by ascending throughput within a candidate; all of
///     them if the problem lists them
public record PhaseResult(
        Phase phase,
        int deviceCount,
        List<ResultRow> rows,
        List<RejectedCandidate> rejected,
        List<SearchPoint> points,
        long omittedPoints,
        List<ResultRow> recorded) {
    public PhaseResult {
        rows = List.copyOf(rows);
        rejected = List.copyOf(rejected);
        points = List.copyOf(points);
        recorded = List.copyOf(recorded);
    }

    /// Returns a copy with some of its candidates rejected, by label.
    PhaseResult without(Map<String, RejectedCandidate> some) {
        List<ResultRow> ranked = new ArrayList<>();
        rows.stream()
                .filter(row -> !some.containsKey(row.candidate().label()))
                .forEach(row -> ranked.add(row.withRank(ranked.size() + 1)));
        return new PhaseResult(
                phase,
                deviceCount,
                ranked,
                Stream.concat(rejected.stream(), some.values().stream()).toList(),
                points,
                omittedPoints,
                recorded);
    }

    /// Merges searches of one phase for instances of several sizes.
    ///
    /// @param objective objective that ranks rows
    static PhaseResult merged(List<PhaseResult> sizes, Objective objective) {
        if (sizes.size() == 1) {
            return sizes.getFirst();
        }
        List<ResultRow> ranked = new ArrayList<>();
        all(sizes, PhaseResult::rows)
                .sorted(Ranking.betterFirst(objective))
                .forEach(row -> ranked.add(row.withRank(ranked.size() + 1)));
        return new PhaseResult(
                sizes.getFirst().phase,
                sizes.stream().mapToInt(PhaseResult::deviceCount).max().orElseThrow(),
                ranked,
                all(sizes, PhaseResult::rejected).toList(),
                all(sizes, PhaseResult::points).toList(),
                sizes.stream().mapToLong(PhaseResult::omittedPoints).sum(),
                all(sizes, PhaseResult::recorded).toList());
    }

    private static <T> Stream<T> all(List<PhaseResult> sizes, Function<PhaseResult, List<T>> part) {
        return sizes.stream().flatMap(size -> part.apply(size).stream());
    }

    /// Returns the recorded row of each candidate with the highest figure among those within the targets, of
    /// equal rows the smallest batch. Complete only for figures that rows are retained for, or if the problem
    /// lists all rows.
    ///
    /// @param handovers targets reduced by KV transfers
    public List<ResultRow> highest(
            TransferAdjustedLimits handovers, Limits limits, ToDoubleFunction<ResultRow> figure) {
        Comparator<ResultRow> order =
                Comparator.comparingDouble(figure).reversed().thenComparingLong(ResultRow::batchSize);
        Map<String, ResultRow> highest = new LinkedHashMap<>();
        kept(handovers, limits)
                .forEach(row -> highest.merge(
                        row.candidate().label(), row, (old, now) -> order.compare(now, old) < 0 ? now : old));
        return List.copyOf(highest.values());
    }

    /// Returns all recorded rows within the targets. Complete only if the problem lists them.
    ///
    /// @param handovers targets reduced by KV transfers
    public List<ResultRow> kept(TransferAdjustedLimits handovers, Limits limits) {
        return handovers.kept(phase, limits.in(phase), recorded);
    }

    /// Returns the recorded row of each candidate with the most requests within the targets. Complete only if
    /// the problem lists its rows.
    public List<ResultRow> fullest(Limits limits) {
        Limits own = limits.in(phase);
        Map<String, ResultRow> fullest = new LinkedHashMap<>();
        recorded.stream()
                .filter(row -> Ranking.keeps(row, own))
                .forEach(row -> fullest.merge(
                        row.candidate().label(), row, (old, now) -> now.batchSize() > old.batchSize() ? now : old));
        return List.copyOf(fullest.values());
    }
}
