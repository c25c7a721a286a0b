package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.workload.Phase;
import java.util.List;

/// What the search of one phase on one kind of device found.
///
/// @param deviceCount devices of one searched instance
/// @param rows best row per candidate, ranked by throughput; the first is the best
/// @param rejected candidates without a row, in candidate order
/// @param points memory-feasible probes, each once, in candidate order and by batch size inside a candidate; of a
///     candidate with very many only some ([ThinnedPoints])
/// @param pointsLeftOut how many more were memory-feasible
/// @param recorded recorded rows, in candidate order and by ascending throughput inside a candidate; all of them if the
///     problem lists them
public record PhaseResult(
        Phase phase,
        int deviceCount,
        List<ResultRow> rows,
        List<RejectedCandidate> rejected,
        List<SearchPoint> points,
        long pointsLeftOut,
        List<ResultRow> recorded) {
    public PhaseResult {
        rows = List.copyOf(rows);
        rejected = List.copyOf(rejected);
        points = List.copyOf(points);
        recorded = List.copyOf(recorded);
    }
}
