package io.throughputoptimizer.api.benchmark;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.OptimizationRequest;
import java.util.List;
import java.util.Map;

/// Requests that another planner's file stands for.
@Schema(name = "Import")
public record ImportResponse(List<ExperimentResponse> experiments) {

    /// One request.
    @Schema(name = "ImportedExperiment")
    public record ExperimentResponse(
            String name,

            @Schema(implementation = OptimizationRequest.class)
            Map<String, Object> request,

            List<String> assumed,
            List<LeftOutResponse> leftOut) {}

    /// A field without a counterpart.
    @Schema(name = "LeftOutField")
    public record LeftOutResponse(String field, String reason) {}
}
