package io.throughputoptimizer.api.result.catalog;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.catalog.LaunchEnginesResponse.EngineResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Serving engines that can start a row.
@Schema(name = "LaunchEngines", description = "Serving engines that can start a row of a result.")
public record LaunchEnginesResponse(
        @Schema(description = "All of them.") List<EngineResponse> engines) {

    /// A serving engine.
    @Schema(name = "LaunchEngine", description = "A serving engine.")
    public record EngineResponse(
            @Schema(description = "Identifier of the engine.", example = "vllm")
            String engine,

            @Schema(description = "Display name of the engine.", example = "vLLM")
            String title,

            @Schema(
                    description = "True for the recommended engine: that of the plan, otherwise the first that can"
                            + " start the row on its devices.")
            boolean chosen,

            @Schema(description = "Reason why the engine cannot start the row. Absent if it can.") @Nullable
            String refusal) {}

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
}
