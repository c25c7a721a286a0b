package io.throughputoptimizer.api;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.cost.BoundBreakdown;
import io.throughputoptimizer.core.cost.BoundShares;
import org.jspecify.annotations.Nullable;

/// Where the time goes, in percent or in ms: each operator counts with its dominant part only.
@Schema(
        name = "Breakdown",
        description = "Where the time goes: each operator counts with its dominant part only. Percent of the sum in a"
                + " result, ms in an estimate.")
public record BreakdownResponse(
        @Schema(description = "Operators bound by memory bandwidth.")
        double memory,

        @Schema(description = "Collectives bound by their links.")
        double communication,

        @Schema(description = "Matrix units of operators bound by compute.")
        double computeMma,

        @Schema(description = "General units of operators bound by compute.")
        double computeGp) {
    private static final double MILLIS_PER_SECOND = 1000;

    static @Nullable BreakdownResponse percent(@Nullable BoundShares shares) {
        return shares == null
                ? null
                : new BreakdownResponse(shares.memory(), shares.communication(), shares.matrix(), shares.general());
    }

    static BreakdownResponse millis(BoundBreakdown breakdown) {
        return new BreakdownResponse(
                breakdown.memorySeconds() * MILLIS_PER_SECOND,
                breakdown.communicationSeconds() * MILLIS_PER_SECOND,
                breakdown.matrixSeconds() * MILLIS_PER_SECOND,
                breakdown.generalSeconds() * MILLIS_PER_SECOND);
    }

    static @Nullable BoundShares shares(@Nullable BreakdownResponse percent) {
        return percent == null
                ? null
                : new BoundShares(percent.memory, percent.communication, percent.computeMma, percent.computeGp);
    }
}
