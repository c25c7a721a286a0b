package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/// Size of a search.
@Schema(name = "SearchStatistics")
public record SearchStatisticsResponse(
        int candidates,
        long points,
        long forwardPasses,
        double elapsedMs,
        @Nullable Long simulations,
        @Nullable Long simulatedSteps,
        @Nullable String sampled) {

    public static @Nullable Long orAbsent(long steps) {
        return steps == 0 ? null : steps;
    }
}
