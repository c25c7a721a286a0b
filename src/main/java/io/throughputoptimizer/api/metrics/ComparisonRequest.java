package io.throughputoptimizer.api.metrics;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.LimitsRequest;
import io.throughputoptimizer.api.request.MeasuredRowRequest.LayoutRequest;
import io.throughputoptimizer.api.wire.Composite;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A running server and its traffic, to be compared with the best plan for the same devices.
@Schema(
        name = "ComparisonRequest",
        description = "A running server and its traffic, to be compared with the best plan for the same devices.")
public record ComparisonRequest(
        @Schema(description = "The running server, by its command, its start-up log or its settings.")
        @Required
        @Valid
        @Nullable
        RunningRequest running,

        @Schema(description = "Device of the server.", example = "H100_SXM")
        @Required
        @Size(max = 256, message = "{request.name.length}")
        @Nullable
        String device,

        @Schema(description = "Devices to plan for. Default: those of the server.", example = "8")
        @Min(1)
        @Max(Bounds.COUNT)
        @Nullable
        Integer numDevices,

        @Schema(description = "Response of `POST /api/v1/traffic/from-metrics`. Must not be combined with `metrics`.")
        @Nullable
        MetricsResponse traffic,

        @Schema(description = "Metrics of the server as text, one or several scrapes.") @Nullable
        String metrics,

        @Schema(description = "Limits. Default: the measured mean TTFT and TPOT.") @Valid @Nullable
        LimitsRequest slo)
        implements Composite {

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>();
        if (traffic != null && metrics != null) {
            broken.add(new Violation("/metrics", "must not be combined with traffic. Remove one"));
        }
        if (traffic == null && metrics == null) {
            broken.add(new Violation(
                    "/traffic", "is required. Set traffic to a response of POST /api/v1/traffic/from-metrics"));
        }
        return broken;
    }

    /// A running server: fields replace what its command or log states.
    @Schema(name = "RunningServer", description = "A running server: fields replace what its command or log states.")
    public record RunningRequest(
            @Schema(
                    description = "Command line that starts the server, as for `POST /api/v1/servers/from-command`.",
                    example = "vllm serve Qwen/Qwen3-32B-FP8 --tensor-parallel-size 8")
            @Nullable
            String command,

            @Schema(description = "Start-up log of the server, as for `POST /api/v1/engine-logs`.") @Nullable
            String log,

            @Schema(description = "Number of equal instances. Default: those of `traffic`.", example = "1")
            @Min(1)
            @Max(10_000)
            @Nullable
            Integer instances,

            @Schema(description = "Model id.", example = "Qwen/Qwen3-32B") @Nullable
            String modelId,

            @Schema(description = "Weight format, as in `quantization.scheme`.", example = "FP8") @Nullable
            String scheme,

            @Schema(description = "Engine, as in `engine.backend`.", example = "vllm") @Nullable
            String backend,

            @Schema(
                    description = "Engine version, as in `engine.version`. `corrected` requires it.",
                    example = "0.24.0")
            @Nullable
            String version,

            @Schema(description = "Parallel sizes of an instance.") @Valid @Nullable
            LayoutRequest parallel,

            @Schema(description = "Element type of the KV cache, as in `engine.kv_cache_dtype`.", example = "fp8")
            @Nullable
            String kvCacheDtype,

            @Schema(description = "Most sequences of a rank.", example = "256") @Min(1) @Max(Bounds.COUNT) @Nullable
            Integer maxNumSeqs,

            @Schema(description = "Most tokens of a step of a rank.", example = "8192")
            @Min(1)
            @Max(Bounds.COUNT)
            @Nullable
            Integer maxBatchedTokens,

            @Schema(description = "Tokens of the KV cache of a rank.") @Min(1) @Max(Bounds.COUNT * 1000) @Nullable
            Long kvTokens)
            implements Composite {

        @Override
        public List<Violation> inconsistencies() {
            return command == null && log == null && parallel == null
                    ? List.of(new Violation("", "must have command, log or parallel"))
                    : List.of();
        }
    }
}
