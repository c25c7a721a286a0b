package io.throughputoptimizer.api.sweep;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.OptimizationRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A cell with the question that it asks.
@Schema(name = "SweepQuestion", description = "A cell with the question that it asks, to be asked by itself.")
public record SweepQuestionResponse(
        @Schema(description = "Number of the cell, from 0.", example = "17")
        int cell,

        @Schema(description = "Its value on each axis, by label.")
        Map<String, Object> coordinates,

        @JsonRawValue @Schema(implementation = OptimizationRequest.class, description = "What it asks.")
        String request,

        @Schema(description = "What it was answered; absent until then.") @Nullable
        SweepCellResponse row) {}
