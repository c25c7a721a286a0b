package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingPoint;

/// A probe that fits in memory, for curves.
///
/// @param figures latencies and throughputs, rounded to 3 decimals; requests per second are not rounded
/// @param withinLimits whether it meets every target before rounding
public record SearchPoint(
        Candidate candidate, long batchSize, long concurrency, Figures figures, boolean withinLimits) {

    /// Returns the point of an evaluated candidate.
    public static SearchPoint of(Candidate candidate, ServingOutcome outcome) {
        ServingPoint point = outcome.point();
        return new SearchPoint(
                candidate,
                point.load().batchSize(),
                point.load().concurrency(),
                Rounding.rounded(point.figures()),
                outcome instanceof ServingOutcome.Feasible);
    }
}
