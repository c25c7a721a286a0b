package io.throughputoptimizer.api.benchmark;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.OptimizationRequest;
import java.util.List;
import java.util.Map;

/// Requests that another planner's file stands for.
@Schema(name = "Import", description = "Requests that another planner's file stands for.")
public record ImportResponse(
        @Schema(description = "One request for each experiment of the file.")
        List<ExperimentResponse> experiments) {

    /// One request.
    @Schema(name = "ImportedExperiment", description = "Request that an experiment stands for.")
    public record ExperimentResponse(
            @Schema(description = "Name of the experiment.", example = "aisimulate")
            String name,

            @Schema(description = "Body for `POST /api/v1/optimizations`.", implementation = OptimizationRequest.class)
            Map<String, Object> request,

            @Schema(description = "Values of the request that the file does not state, with their sources.")
            List<String> assumed,

            @Schema(description = "Fields of the file without a field in the request.")
            List<LeftOutResponse> leftOut) {}

    /// A field without a counterpart.
    @Schema(name = "LeftOutField", description = "Field of a file without a field in the request.")
    public record LeftOutResponse(
            @Schema(description = "Path in the file.", example = "router")
            String field,

            @Schema(description = "Reason.", example = "plans spread requests evenly")
            String reason) {}
}
