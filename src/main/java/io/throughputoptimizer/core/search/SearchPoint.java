package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingPoint;
import org.jspecify.annotations.Nullable;

/// One probe that fits in memory, for curves. Figures are rounded to 3 decimals.
///
/// @param sustainedQps requests a second that the time of the passes suffices for, not rounded
/// @param requestLatencyMillis of a whole answer, of a phase by itself the part that it makes
/// @param withinLimits whether it keeps every limit before rounding
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

    /// The point of a candidate that was evaluated.
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
