package io.throughputoptimizer.api.metrics;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.enginelog.EngineLogResponse.ServerEngineResponse;
import io.throughputoptimizer.api.enginelog.EngineLogResponse.ServerParallelResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.DraftsResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Layout and settings of a server, as its command line states them. What it does not say is absent.
@Schema(name = "ServerCommand", description = "Layout and settings of a server, as its command line states them.")
public record ServerCommandResponse(
        @Schema(description = "Engine settings, with the names of a request's `engine`.")
        ServerEngineResponse engine,

        @Schema(description = "Model id; absent for a path or a variable.", example = "Qwen/Qwen3-32B") @Nullable
        String modelId,

        @Schema(description = "Name under which the server serves the model.") @Nullable
        String servedModel,

        @Schema(description = "Device that the caller stated.", example = "H100_SXM") @Nullable
        String device,

        @Schema(description = "Parallel sizes of an instance.")
        ServerParallelResponse parallel,

        @Schema(description = "Devices of an instance.", example = "8")
        long devicesPerInstance,

        @Schema(description = "Number of equal instances.", example = "1")
        long instances,

        @Schema(description = "Devices of all instances.", example = "8")
        long numDevices,

        @Schema(description = "Tokens of the longest request.", example = "32768") @Nullable
        Long contextTokens,

        @Schema(description = "Share of the device memory, above 0, at most 1.", example = "0.9") @Nullable
        Double memoryShare,

        @Schema(description = "Weight format; absent if the command does not tell it.", example = "FP8") @Nullable
        String scheme,

        @Schema(description = "True unless an option turns the prefix cache off.")
        boolean prefixCache,

        @Schema(description = "Speculative decoding; absent if it is off.") @Nullable
        DraftsResponse speculation,

        @Schema(description = "`prefill` or `decode` of a disaggregated deployment.") @Nullable
        String role,

        @Schema(description = "Things to know before you rely on the values.")
        List<String> notes,

        @Schema(description = "Options that have no field here.")
        List<IgnoredResponse> ignored) {

    /// An option without a field.
    @Schema(name = "IgnoredOption", description = "Option without a field.")
    public record IgnoredResponse(
            @Schema(description = "The option.", example = "--port")
            String option,

            @Schema(description = "`has no effect on a plan`, `not read`, or why it does not apply.")
            String reason) {}
}
