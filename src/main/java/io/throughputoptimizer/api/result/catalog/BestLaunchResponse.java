package io.throughputoptimizer.api.result.catalog;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.catalog.LaunchEnginesResponse.EngineResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The commands that start the best row of an answer.
@Schema(name = "BestLaunch", description = "The commands that start the best row of an answer.")
public record BestLaunchResponse(
        @Schema(description = "The engine that they start; absent where none can start the row.", example = "vllm")
        @Nullable
        String engine,

        @Schema(description = "They as a script for a shell; absent where no engine can start the row.") @Nullable
        String script,

        @Schema(description = "All serving engines, with the reason where one cannot start the row.")
        List<EngineResponse> engines) {}
