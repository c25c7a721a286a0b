package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import org.jspecify.annotations.Nullable;

/// One probe that fits in memory, for curves.
///
/// @param withinObjective whether it keeps every limit
public record SearchPoint(
        ParallelLayout layout,
        long batchSize,
        long concurrency,
        @Nullable Double ttftMillis,
        @Nullable Double tpotMillis,
        double tokensPerSecond,
        boolean withinObjective) {}
