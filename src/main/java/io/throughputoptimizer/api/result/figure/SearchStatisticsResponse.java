package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/// Size of a search.
@Schema(name = "SearchStatistics", description = "Size of the search.")
public record SearchStatisticsResponse(
        @Schema(description = "Layouts tried.") int candidates,

        @Schema(description = "Batch sizes evaluated over all layouts.")
        long points,

        @Schema(description = "Requested estimates of forward passes, cached or not.")
        long forwardPasses,

        @Schema(description = "Time the search took, in ms.")
        double elapsedMs,

        @Schema(description = "Simulations that were run; absent when none was.") @Nullable
        Long simulations,

        @Schema(
                description = "Simulated steps; consecutive equal steps count once. Only with chunked prefill, in"
                        + " mode `aggregation` with one input length.")
        @Nullable
        Long simulatedSteps,

        @Schema(
                description = "Concurrencies evaluated instead of all, if there are more than the service allows."
                        + " Requires `cost_model: calibrated`.")
        @Nullable
        String sampled) {

    public static @Nullable Long orAbsent(long steps) {
        return steps == 0 ? null : steps;
    }
}
