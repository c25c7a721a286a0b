package io.throughputoptimizer.api.metrics;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.enginelog.EngineLogResponse.ServerEngineResponse;
import io.throughputoptimizer.api.enginelog.EngineLogResponse.ServerParallelResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.DraftsResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Layout and settings of a server, as its command line states them. What it does not say is absent.
@Schema(name = "ServerCommand")
public record ServerCommandResponse(
        ServerEngineResponse engine,
        @Nullable String modelId,
        @Nullable String servedModel,
        @Nullable String device,
        ServerParallelResponse parallel,
        long devicesPerInstance,
        long instances,
        long numDevices,
        @Nullable Long contextTokens,
        @Nullable Double memoryShare,
        @Nullable String scheme,
        boolean prefixCache,
        @Nullable DraftsResponse speculation,
        @Nullable String role,
        List<String> notes,
        List<IgnoredResponse> ignored) {

    /// An option without a field.
    @Schema(name = "IgnoredOption")
    public record IgnoredResponse(String option, String reason) {}
}
