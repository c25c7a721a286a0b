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
@Schema(name = "Feedback")
public record FeedbackRequest(
        @Size(max = 256, message = "{request.name.length}") @Nullable
        String device,

        @Size(max = FeedbackRequest.MOST_ROWS) @Nullable List<@NotNull ServedRowRequest> rows,
        @Size(max = FeedbackRequest.MOST_ROWS) @Nullable List<@NotBlank String> measurements)
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
    @Schema(name = "FeedbackRow")
    public record ServedRowRequest(
            @Required @Valid @Nullable LayoutRequest parallel,

            @Required @Min(1) @Max(Bounds.CONCURRENCY) @Nullable
            Integer concurrency,

            @Required @Min(1) @Max(Bounds.COUNT) @Nullable Integer inputLength,
            @Required @Min(1) @Max(Bounds.COUNT) @Nullable Integer outputLength,
            @Positive @DecimalMax("1") @Nullable Double randomRangeRatio,

            @DecimalMin("1") @DecimalMax(Bounds.AMOUNT) @Nullable
            Double waves,

            @Positive @DecimalMax(Bounds.AMOUNT) @Nullable Double tpotMs,
            @Positive @DecimalMax(Bounds.AMOUNT) @Nullable Double ttftMs,

            @Size(max = 256, message = "{request.name.length}") @Nullable
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
                    requireNonNullElse(waves, traffic.wavesOrDefault()),
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
