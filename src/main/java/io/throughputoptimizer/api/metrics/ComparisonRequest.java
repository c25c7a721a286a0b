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
@Schema(name = "ComparisonRequest")
public record ComparisonRequest(
        @Required @Valid @Nullable RunningRequest running,

        @Required @Size(max = 256, message = "{request.name.length}") @Nullable
        String device,

        @Min(1) @Max(Bounds.COUNT) @Nullable Integer numDevices,
        @Nullable MetricsResponse traffic,
        @Nullable String metrics,
        @Valid @Nullable LimitsRequest slo)
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
    @Schema(name = "RunningServer")
    public record RunningRequest(
            @Nullable String command,
            @Nullable String log,
            @Min(1) @Max(10_000) @Nullable Integer instances,
            @Nullable String modelId,
            @Nullable String scheme,
            @Nullable String backend,
            @Nullable String version,
            @Valid @Nullable LayoutRequest parallel,
            @Nullable String kvCacheDtype,
            @Min(1) @Max(Bounds.COUNT) @Nullable Integer maxNumSeqs,
            @Min(1) @Max(Bounds.COUNT) @Nullable Integer maxBatchedTokens,
            @Min(1) @Max(Bounds.COUNT * 1000) @Nullable Long kvTokens)
            implements Composite {

        @Override
        public List<Violation> inconsistencies() {
            return command == null && log == null && parallel == null
                    ? List.of(new Violation("", "must have command, log or parallel"))
                    : List.of();
        }
    }
}
