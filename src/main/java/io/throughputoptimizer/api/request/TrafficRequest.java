package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.core.load.Traffic;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import org.jspecify.annotations.Nullable;

/// Traffic on the deployment, as a request states it.
@Only(costModel = CostModelName.CALIBRATED)
@Schema(name = "Traffic", description = "What clients do to the deployment; {only}.")
public record TrafficRequest(
        @Schema(
                description = "Requests of a benchmark per outstanding one: the first wave comes all at once.",
                defaultValue = "10.0")
        @DecimalMin("1")
        @DecimalMax(Bounds.AMOUNT)
        Double waves,

        @Schema(
                description = "Shortest lengths as a share of `input_length` and `output_length`, which are then the"
                        + " longest; lengths between are equally frequent. Where all are equal, simulations stagger"
                        + " the clients, which else stay in step.",
                defaultValue = "1.0")
        @Positive
        @DecimalMax("1")
        Double randomRangeRatio,

        @Schema(description = "Time in ms from an answer to the next request; only simulations count it. Default: 0.")
        @PositiveOrZero
        @DecimalMax(Bounds.AMOUNT)
        @Nullable
        Double thinkMs,

        @Schema(
                description = "Requests per second at the whole deployment that simulations send instead of keeping a"
                        + " concurrency; needs `percentiles` or `slo.percentile`.",
                example = "12.5")
        @Positive
        @DecimalMax(Bounds.AMOUNT)
        @Nullable
        Double requestRate,

        @Schema(description = "Requests of one rank that a simulation sends at `request_rate`; default: 300.")
        @Min(SimulatedTrafficRequest.FEWEST_REQUESTS)
        @Max(SimulatedTrafficRequest.MOST_REQUESTS)
        @Nullable
        Integer requests,

        @Schema(description = "Seed of their sending times; default: 1.") @Nullable
        Long seed) {
    private static final double DEFAULT_WAVES = 10;
    private static final double EQUAL_LENGTHS = 1;
    static final TrafficRequest DEFAULT = new TrafficRequest(DEFAULT_WAVES, EQUAL_LENGTHS, null, null, null, null);

    public TrafficRequest {
        waves = requireNonNullElse(waves, DEFAULT_WAVES);
        randomRangeRatio = requireNonNullElse(randomRangeRatio, EQUAL_LENGTHS);
    }

    /// Returns whether the request asks for lengths between the shortest and the longest.
    boolean spreadsLengths() {
        return randomRangeRatio != EQUAL_LENGTHS;
    }

    /// Returns the arrival rate at a simulated deployment; absent for a closed loop.
    public Traffic.@Nullable Rate rate() {
        return requestRate == null
                ? null
                : new Traffic.Rate(
                        requestRate,
                        requireNonNullElse(requests, SimulatedTrafficRequest.FEWEST_REQUESTS),
                        requireNonNullElse(seed, 1L));
    }
}
