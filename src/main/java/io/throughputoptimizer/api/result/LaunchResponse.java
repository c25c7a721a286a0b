package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Commands that start a row of a result on a serving engine.
@Schema(name = "Launch")
public record LaunchResponse(
        String engine,
        String engineVersion,
        String device,
        int rank,
        String model,
        String checkpoint,
        List<ServerResponse> servers,
        @Nullable String router,
        @Nullable FileResponse routerFile,
        @Nullable Integer routerPort,
        List<String> notes,
        List<String> unsure,
        List<String> withoutOption,
        @Nullable String load,
        @Nullable FileResponse prompts,
        @Nullable List<CheckResponse> checks,
        @Nullable MeasureResponse measure) {

    /// Measurements that verify a plan.
    @Schema(name = "LaunchMeasure")
    public record MeasureResponse(
            String tool,
            List<Long> concurrencies,
            int port,
            List<String> commands,
            String bring,
            @Nullable String next) {}

    /// Equal instances.
    @Schema(name = "LaunchedServer")
    public record ServerResponse(
            @Schema(allowableValues = {"aggregation", "prefill", "decode"})
            String role,

            String device,
            String parallel,
            int numDevices,
            int instances,
            int port,
            Map<String, String> environment,
            String command,
            @Nullable FileResponse file,
            List<OptionResponse> options) {}

    /// A configuration file.
    @Schema(name = "LaunchFile")
    public record FileResponse(String name, String content) {}

    /// One option of a command or a file.
    @Schema(name = "LaunchOption")
    public record OptionResponse(String option, String source) {}

    /// A benchmark.
    @Schema(name = "LaunchCheck")
    public record CheckResponse(
            String tool,
            String command,
            @Nullable List<String> notSent,
            @Nullable List<String> unsure) {}
}
