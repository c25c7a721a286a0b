package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Positive;

/// What clients do to the deployment, as it comes over the wire.
@Schema(name = "Traffic", description = "What clients do to the deployment; cost model `calibrated` only.")
public record TrafficRequest(
        @Schema(
                description = "Requests of a benchmark per outstanding one: the first wave comes all at once.",
                defaultValue = "10.0")
        @DecimalMin("1")
        @DecimalMax(Bounds.AMOUNT)
        Double waves,

        @Schema(
                description = "Shortest lengths as a share of `input_length` and `output_length`, which are then the"
                        + " longest; lengths between are equally frequent.",
                defaultValue = "1.0")
        @Positive
        @DecimalMax("1")
        Double lengthRatio) {
    private static final double DEFAULT_WAVES = 10;
    private static final double EQUAL_LENGTHS = 1;
    static final TrafficRequest DEFAULT = new TrafficRequest(DEFAULT_WAVES, EQUAL_LENGTHS);

    public TrafficRequest {
        waves = requireNonNullElse(waves, DEFAULT_WAVES);
        lengthRatio = requireNonNullElse(lengthRatio, EQUAL_LENGTHS);
    }
}
