package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.LimitsRequest.TtftBasisName;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.workload.TtftBasis;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Traffic of a simulated deployment, as a request states it.
@Schema(name = "SimulatedTraffic")
public record SimulatedTrafficRequest(
        @Min(1) @Max(Bounds.PASS_COUNT) @Nullable Integer concurrency,
        @Positive @DecimalMax(Bounds.AMOUNT) @Nullable Double requestRate,

        @Min(SimulatedTrafficRequest.FEWEST_REQUESTS) @Max(SimulatedTrafficRequest.MOST_REQUESTS) @Nullable
        Integer requests,

        @Nullable Long seed,

        @DecimalMin("1") @DecimalMax(Bounds.AMOUNT) @Nullable
        Double waves,

        @PositiveOrZero @DecimalMax(Bounds.AMOUNT) @Nullable Double thinkMs,

        @Schema(defaultValue = "1.0") @DecimalMin(value = "0", inclusive = false) @DecimalMax("1")
        Double randomRangeRatio,

        @Nullable Boolean staggered,
        @Nullable TtftBasisName ttftBasis)
        implements Composite {
    static final int FEWEST_REQUESTS = 300;
    static final int MOST_REQUESTS = 100_000;
    private static final double DEFAULT_WAVES = 10;
    private static final String NEEDED = "needs exactly one of concurrency and request_rate";

    static final SimulatedTrafficRequest EMPTY =
            new SimulatedTrafficRequest(null, null, null, null, null, null, 1.0, null, null);

    public SimulatedTrafficRequest {
        randomRangeRatio = requireNonNullElse(randomRangeRatio, 1.0);
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>();
        if (concurrency != null && requestRate != null) {
            broken.add(new Violation("", NEEDED));
        } else if (concurrency == null) {
            refuse(broken, "/waves", waves, "a closed loop, which concurrency makes");
            refuse(broken, "/think_ms", thinkMs, "a closed loop, which concurrency makes");
            refuse(broken, "/staggered", staggered, "a closed loop, which concurrency makes");
            refuse(broken, "/ttft_basis", ttftBasis, "a closed loop, which concurrency makes");
        } else {
            if (basis() == TtftBasis.SETTLED && wavesOrDefault() < SimulatedRowRules.FEWEST_SETTLED_WAVES) {
                broken.add(new Violation(
                        "/waves",
                        "must be at least " + SimulatedRowRules.FEWEST_SETTLED_WAVES
                                + " with ttft_basis settled, which excludes the first wave, got " + waves));
            }
            refuse(broken, "/requests", requests, "an open loop, which request_rate makes; waves does here");
            refuse(broken, "/seed", seed, "an open loop, which request_rate makes");
        }
        return broken;
    }

    /// Returns a violation if recorded arrival times are combined with another kind of load.
    ///
    /// @param replayed whether they do
    Optional<Violation> loads(boolean replayed) {
        if (replayed) {
            return concurrency != null || requestRate != null || requests != null || seed != null
                    ? Optional.of(new Violation(
                            "", "must not set concurrency or request_rate with workload.requests.sent_ms. Remove one"))
                    : Optional.empty();
        }
        return concurrency == null && requestRate == null ? Optional.of(new Violation("", NEEDED)) : Optional.empty();
    }

    /// Returns the fields that conversations do not support.
    List<Violation> unsaidOfTurns() {
        List<Violation> broken = new ArrayList<>();
        refuse(
                broken,
                "/request_rate",
                requestRate,
                "requests that go on from no other; a turn waits for the one before");
        refuse(
                broken,
                "/think_ms",
                thinkMs,
                "requests that go on from no other; workload.conversation has think_time_s");
        refuse(broken, "/staggered", staggered, "requests of equal lengths");
        return broken;
    }

    private static void refuse(List<Violation> broken, String pointer, @Nullable Object value, String loop) {
        if (value != null) {
            broken.add(new Violation(pointer, "applies only with " + loop + ". Remove it"));
        }
    }

    /// Requests of a closed loop over its concurrency.
    double wavesOrDefault() {
        return requireNonNullElse(waves, DEFAULT_WAVES);
    }

    /// Returns the requests of a closed loop that the latencies cover.
    public TtftBasis basis() {
        return requireNonNullElse(ttftBasis, TtftBasisName.BENCHMARK).basis();
    }

    public Traffic toTraffic(RequestLengths lengths) {
        return new Traffic(
                lengths,
                wavesOrDefault(),
                requireNonNullElse(thinkMs, 0.0),
                requestRate == null
                        ? null
                        : new Traffic.Rate(
                                requestRate,
                                requireNonNullElse(requests, FEWEST_REQUESTS),
                                requireNonNullElse(seed, 1L)),
                Boolean.TRUE.equals(staggered));
    }
}
