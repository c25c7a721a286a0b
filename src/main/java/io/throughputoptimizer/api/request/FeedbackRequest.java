package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.MeasuredRowRequest.LayoutRequest;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.feedback.ServedRow;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.model.ModelArchitecture;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Benchmark rows of the server that a request is about.
@Schema(
        name = "Feedback",
        description = "What a benchmark of the server printed that the request describes by its model, `quantization`,"
                + " device and `engine`, of which `version` is needed then: 1 to 50 rows.")
public record FeedbackRequest(
        @Schema(
                description = "Device that the server has; needed, and only useful, where `devices` has several.",
                example = "H200_SXM")
        @Size(max = 256, message = "{request.name.length}")
        @Nullable
        String device,

        @Schema(description = "Rows of the benchmark.") @Size(max = FeedbackRequest.MOST_ROWS) @Nullable
        List<@NotNull ServedRowRequest> rows,

        @Schema(
                description =
                        "Ids of stored sets whose rows count too; each must be of the same model, scheme, KV cache,"
                                + " device, engine and version. In the request that an answer shows their rows stand in `rows`.",
                example = "[\"0197a4e2-5b7c-7c3e-9a51-2f6f3f1d8e00\"]")
        @Size(max = FeedbackRequest.MOST_ROWS)
        @Nullable
        List<@NotBlank String> measurements)
        implements Composite {
    static final int MOST_ROWS = 50;

    @Override
    public List<Violation> inconsistencies() {
        return requireNonNullElse(rows, List.of()).isEmpty()
                        && requireNonNullElse(measurements, List.of()).isEmpty()
                ? List.of(new Violation("", "must have 1 to " + MOST_ROWS + " rows, or measurements"))
                : List.of();
    }

    /// Benchmark result of one configuration of the planned server, as a request states it.
    @Schema(
            name = "FeedbackRow",
            description = "What a benchmark printed of one configuration of the server: `tpot_ms`, `ttft_ms` or both.")
    public record ServedRowRequest(
            @Schema(description = "How the devices of the instance that was measured are split.")
            @Required
            @Valid
            @Nullable
            LayoutRequest parallel,

            @Schema(
                    description = "Requests outstanding at the instance, over all its attention data parallel ranks: a"
                            + " multiple of `parallel.dp`.",
                    example = "64")
            @Required
            @Min(1)
            @Max(Bounds.CONCURRENCY)
            @Nullable
            Integer concurrency,

            @Schema(
                    description = "Input tokens of a request, the longest where `random_range_ratio` is below 1.",
                    example = "8192")
            @Required
            @Min(1)
            @Max(Bounds.COUNT)
            @Nullable
            Integer inputLength,

            @Schema(description = "Output tokens of a request, likewise.", example = "1024")
            @Required
            @Min(1)
            @Max(Bounds.COUNT)
            @Nullable
            Integer outputLength,

            @Schema(
                    description =
                            "Shortest lengths as a share of the longest, where those between are equally frequent;"
                                    + " default: that of `traffic`.",
                    example = "0.8")
            @Positive
            @DecimalMax("1")
            @Nullable
            Double randomRangeRatio,

            @Schema(
                    description = "Requests of the benchmark per outstanding one; default: that of `traffic`.",
                    example = "10.0")
            @DecimalMin("1")
            @DecimalMax(Bounds.AMOUNT)
            @Nullable
            Double waves,

            @Schema(description = "Mean time in ms of an output token after the first.", example = "46.1")
            @Positive
            @DecimalMax(Bounds.AMOUNT)
            @Nullable
            Double tpotMs,

            @Schema(description = "Mean time in ms to the first token.", example = "1817.0")
            @Positive
            @DecimalMax(Bounds.AMOUNT)
            @Nullable
            Double ttftMs,

            @Schema(description = "Stored set that the row is of; filled in where `measurements` names it.")
            @Size(max = 256, message = "{request.name.length}")
            @Nullable
            String measurement)
            implements Composite {

        @Override
        public List<Violation> inconsistencies() {
            List<Violation> broken = new ArrayList<>();
            if (tpotMs == null && ttftMs == null) {
                broken.add(new Violation("", "must have tpot_ms, ttft_ms or both"));
            }
            int dp = parallel == null ? 1 : parallel.dp();
            if (concurrency != null && dp > 0 && concurrency % dp != 0) {
                broken.add(new Violation(
                        "/concurrency", "must be a multiple of parallel.dp (" + dp + "), got " + concurrency));
            }
            return broken;
        }

        /// Returns a copy with the values of the traffic of its request filled in.
        ServedRowRequest completed(TrafficRequest traffic, @Nullable String set) {
            return WireMember.copy(
                    this,
                    "randomRangeRatio",
                    requireNonNullElse(randomRangeRatio, traffic.randomRangeRatio()),
                    "waves",
                    requireNonNullElse(waves, traffic.waves()),
                    "measurement",
                    set == null ? measurement : set);
        }

        /// Returns the row of a [#completed] request whose layout the model allows.
        ServedRow toRow(ModelArchitecture model) {
            return new ServedRow(
                    requireNonNull(parallel).toLayout(model),
                    requireNonNull(concurrency),
                    new SpreadLengths(
                            requireNonNull(inputLength),
                            requireNonNull(outputLength),
                            requireNonNull(randomRangeRatio)),
                    requireNonNull(waves),
                    tpotMs,
                    ttftMs);
        }
    }
}
