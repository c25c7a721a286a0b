package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/// Size of a search.
@Schema(name = "SearchStatistics", description = "How much was searched.")
public record SearchStatisticsResponse(
        @Schema(description = "Layouts tried.") int candidates,

        @Schema(description = "Batch sizes evaluated over all layouts.")
        long points,

        @Schema(description = "Forward estimates asked for, cached or not.")
        long forwardPasses,

        @Schema(description = "Time the search took, in ms.")
        double elapsedMs,

        @Schema(description = "Simulations that were run; absent when none was.") @Nullable
        Long simulations,

        @Schema(
                description = "Steps that instances were simulated in, a row of equal steps counted once; where"
                        + " steps cut prompts, in mode `aggregation` with one input length, else absent.")
        @Nullable
        Long simulatedSteps,

        @Schema(
                description = "Where more concurrencies than the service allows would have to be looked at: which it"
                        + " looked at instead, in words; cost model `calibrated` only, else absent.")
        @Nullable
        String sampled) {

    public static @Nullable Long orAbsent(long steps) {
        return steps == 0 ? null : steps;
    }
}
