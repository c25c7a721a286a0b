package io.throughputoptimizer.api.result.catalog;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.catalog.LaunchEnginesResponse.EngineResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Serving engines that can start a row.
@Schema(name = "LaunchEngines")
public record LaunchEnginesResponse(List<EngineResponse> engines) {

    /// A serving engine.
    @Schema(name = "LaunchEngine")
    public record EngineResponse(
            String engine,
            String title,
            boolean chosen,
            @Nullable String refusal) {}

    /// The commands that start the best row of an answer.
    @Schema(name = "BestLaunch")
    public record BestLaunchResponse(
            @Nullable String engine, @Nullable String script, List<EngineResponse> engines) {}
}
