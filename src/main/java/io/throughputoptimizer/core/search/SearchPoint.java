package io.throughputoptimizer.core.search;

import org.jspecify.annotations.Nullable;

/// One probe that fits in memory, for curves. Figures are rounded to 3 decimals.
///
/// @param withinObjective whether it keeps every limit before rounding
public record SearchPoint(
        Candidate candidate,
        long batchSize,
        long concurrency,
        @Nullable Double ttftMillis,
        @Nullable Double tpotMillis,
        double tokensPerSecond,
        boolean withinObjective) {}
