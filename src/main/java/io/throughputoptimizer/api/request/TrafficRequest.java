package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.WireMember;
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
@Schema(name = "Traffic", description = "Traffic of the clients. {only}.")
public record TrafficRequest(
        @Schema(defaultValue = "10.0") @DecimalMin("1") @DecimalMax(Bounds.AMOUNT) @Nullable
        Double waves,

        @Schema(defaultValue = "1.0") @Positive @DecimalMax("1")
        Double randomRangeRatio,

        @PositiveOrZero @DecimalMax(Bounds.AMOUNT) @Nullable Double thinkMs,
        @Positive @DecimalMax(Bounds.AMOUNT) @Nullable Double requestRate,

        @Min(SimulatedTrafficRequest.FEWEST_REQUESTS) @Max(SimulatedTrafficRequest.MOST_REQUESTS) @Nullable
        Integer requests,

        @Nullable Long seed) {
    private static final double DEFAULT_WAVES = 10;
    private static final double EQUAL_LENGTHS = 1;
    /// Traffic of a lasting load of equal requests.
    public static final TrafficRequest DEFAULT = new TrafficRequest(null, EQUAL_LENGTHS, null, null, null, null);

    public TrafficRequest {
        randomRangeRatio = requireNonNullElse(randomRangeRatio, EQUAL_LENGTHS);
    }

    /// Returns the requests of a benchmark divided by concurrency.
    public double wavesOrDefault() {
        return requireNonNullElse(waves, DEFAULT_WAVES);
    }

    /// Returns whether the traffic is a benchmark with a number of requests, instead of a lasting load.
    boolean isBenchmark() {
        return waves != null || requests != null;
    }

    /// Returns a copy with the waves filled in.
    TrafficRequest completed() {
        return WireMember.copy(this, "waves", wavesOrDefault());
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
