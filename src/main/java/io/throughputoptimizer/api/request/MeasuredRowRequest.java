package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.model.ModelArchitecture;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Benchmark result of one configuration, as a request states it.
@Schema(name = "MeasuredRow")
public record MeasuredRowRequest(
        @Required @Valid @Nullable LayoutRequest parallel,
        @Min(1) @Max(Bounds.CONCURRENCY) @Nullable Integer concurrency,
        @Positive @DecimalMax(Bounds.AMOUNT) @Nullable Double requestRate,
        @Required @Min(1) @Max(Bounds.COUNT) @Nullable Integer inputLength,
        @Required @Min(1) @Max(Bounds.COUNT) @Nullable Integer outputLength,

        @Schema(defaultValue = "1.0") @Positive @DecimalMax("1")
        Double randomRangeRatio,

        @Schema(defaultValue = "10.0") @DecimalMin("1") @DecimalMax(Bounds.AMOUNT)
        Double waves,

        @Positive @DecimalMax(Bounds.AMOUNT) @Nullable Double tpotMs,
        @Positive @DecimalMax(Bounds.AMOUNT) @Nullable Double ttftMs,
        @Positive @DecimalMax(Bounds.AMOUNT) @Nullable Double tokensPerS)
        implements Composite {
    private static final double WAVES = 10;
    private static final double MILLIS = 1_000;

    /// Devices of an instance.
    @Schema(name = "MeasuredLayout")
    public record LayoutRequest(
            @Required @Min(1) @Max(Bounds.COUNT) @Nullable Integer tp,

            @Schema(defaultValue = "1") @Min(1) @Max(Bounds.COUNT)
            Integer dp,

            @Schema(defaultValue = "1") @Min(1) @Max(Bounds.COUNT)
            Integer ep) {
        public LayoutRequest {
            dp = requireNonNullElse(dp, 1);
            ep = requireNonNullElse(ep, 1);
        }

        /// Devices of the instance.
        long deviceCount() {
            return (long) requireNonNull(tp) * dp;
        }

        /// @throws IllegalArgumentException if `ep` does not divide the ranks of a model with experts
        ParallelLayout toLayout(ModelArchitecture model) {
            return CalibratedDeployment.layout(model, requireNonNull(tp), dp, ep);
        }
    }

    public MeasuredRowRequest {
        randomRangeRatio = requireNonNullElse(randomRangeRatio, 1.0);
        waves = requireNonNullElse(waves, WAVES);
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>();
        if ((concurrency == null) == (requestRate == null)) {
            broken.add(new Violation("", "needs exactly one of concurrency and request_rate"));
        }
        if (tpotMs == null && ttftMs == null) {
            broken.add(new Violation("", "needs at least one of tpot_ms and ttft_ms"));
        } else if (requestRate != null && concurrency == null && (tpotMs == null || ttftMs == null)) {
            broken.add(new Violation(
                    "/request_rate", "requires tpot_ms and ttft_ms, which give the concurrency. Set both"));
        }
        int dp = parallel == null ? 1 : parallel.dp;
        if (concurrency != null && dp > 0 && concurrency % dp != 0) {
            broken.add(new Violation(
                    "/concurrency", "must be a multiple of the " + dp + " data parallel ranks, got " + concurrency));
        }
        return broken;
    }

    /// Returns a copy with the mean concurrency of a request rate, by Little's law `rate (TTFT + (osl - 1) /
    /// TPOT)` with the mean output length `osl`: the nearest that all data parallel ranks share evenly, at
    /// least one for each.
    public MeasuredRowRequest atConcurrency() {
        if (concurrency != null) {
            return this;
        }
        int dp = requireNonNull(parallel).dp;
        long ofRank = Math.clamp(Math.round(meanConcurrency() / dp), 1, Bounds.CONCURRENCY);
        return with(parallel, Math.toIntExact(Math.min(ofRank * dp, Bounds.CONCURRENCY / dp * dp)));
    }

    /// Returns a copy without expert groups if the model has no experts.
    public MeasuredRowRequest of(ModelArchitecture model) {
        LayoutRequest layout = requireNonNull(parallel);
        return model.experts().isEmpty() ? with(new LayoutRequest(layout.tp, layout.dp, 1), concurrency) : this;
    }

    private MeasuredRowRequest with(@Nullable LayoutRequest layout, @Nullable Integer requests) {
        return WireMember.copy(this, "parallel", layout, "concurrency", requests);
    }

    /// Describes the derivation of a concurrency that the row does not state; empty if it does.
    public List<String> notes() {
        return requestRate == null
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "concurrency by Little's law: %s requests/s x %.3f s = %.2f in the mean",
                        requestRate,
                        seconds(),
                        meanConcurrency()));
    }

    private double meanConcurrency() {
        return requireNonNull(requestRate) * seconds();
    }

    private double seconds() {
        double outputs = (1 + randomRangeRatio) / 2 * requireNonNull(outputLength);
        return (requireNonNull(ttftMs) + Math.max(0, outputs - 1) * requireNonNull(tpotMs)) / MILLIS;
    }
}
