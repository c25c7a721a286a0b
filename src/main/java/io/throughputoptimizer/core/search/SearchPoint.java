package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingPoint;
import org.jspecify.annotations.Nullable;

/// A probe that fits in memory, for curves. Figures are rounded to 3 decimals.
///
/// @param sustainedQps requests per second that the pass times sustain, not rounded
/// @param requestLatencyMillis end-to-end latency; for a single phase its part of it
/// @param withinLimits whether it meets every target before rounding
public record SearchPoint(
        Candidate candidate,
        long batchSize,
        long concurrency,
        @Nullable Double ttftMillis,
        @Nullable Double tpotMillis,
        double tokensPerSecond,
        double sustainedQps,
        @Nullable Double requestLatencyMillis,
        boolean withinLimits) {

    /// Returns the point of an evaluated candidate.
    public static SearchPoint of(Candidate candidate, ServingOutcome outcome) {
        ServingPoint point = outcome.point();
        return new SearchPoint(
                candidate,
                point.load().batchSize(),
                point.load().concurrency(),
                Rounding.orAbsent(point.figures().ttftMillis()),
                Rounding.orAbsent(point.figures().tpotMillis()),
                Rounding.toThousandths(point.figures().tokensPerSecond()),
                point.figures().sustainedQps(),
                Rounding.orAbsent(point.figures().requestLatencyMillis()),
                outcome instanceof ServingOutcome.Feasible);
    }
}
