package io.throughputoptimizer.api.result.catalog;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.catalog.LaunchEnginesResponse.EngineResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Serving engines that can start a row.
@Schema(name = "LaunchEngines", description = "Which serving engines can start a row of a result.")
public record LaunchEnginesResponse(
        @Schema(description = "All of them.") List<EngineResponse> engines) {

    /// A serving engine.
    @Schema(name = "LaunchEngine", description = "A serving engine.")
    public record EngineResponse(
            @Schema(description = "Its name.", example = "vllm")
            String engine,

            @Schema(description = "Its name for people.", example = "vLLM")
            String title,

            @Schema(
                    description =
                            "Whether it is the one to start with: that of the plan, else the first that can start the"
                                    + " row on its devices.")
            boolean chosen,

            @Schema(description = "Why it cannot start the row; absent where it can.") @Nullable
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
