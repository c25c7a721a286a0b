package io.throughputoptimizer.core.search;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the search of one candidate found.
///
/// @param recorded rows by ascending throughput, then batch size
/// @param points memory-feasible probes by batch size, thinned where there are many
/// @param pointsLeftOut how many were thinned out
/// @param rejection why no row can compete, absent when one can
record CandidateResult(
        List<ResultRow> recorded,
        List<SearchPoint> points,
        long pointsLeftOut,
        @Nullable RejectedCandidate rejection) {
    CandidateResult {
        recorded = List.copyOf(recorded);
        points = List.copyOf(points);
    }
}
