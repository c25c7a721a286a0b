package io.throughputoptimizer.api.sweep;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A figure of two sweeps at the same coordinates.
@Schema(name = "SweepCompared", description = "A figure of two sweeps at the same coordinates.")
public record SweepComparedResponse(
        @Schema(description = "Values on each axis, by label.")
        Map<String, Object> coordinates,

        @Schema(description = "The figure of the one sweep; absent where it has none.") @Nullable
        Object value,

        @Schema(description = "That of the other; absent where it has none.") @Nullable
        Object other,

        @Schema(description = "The other without the one; of numbers.") @Nullable
        Double difference,

        @Schema(description = "The other divided by the one; of numbers.", example = "1.25") @Nullable
        Double ratio) {

    public static SweepComparedResponse of(
            Map<String, Object> coordinates, @Nullable Object value, @Nullable Object other) {
        boolean numbers = value instanceof Number && other instanceof Number;
        double one = value instanceof Number number ? number.doubleValue() : 0;
        double two = other instanceof Number number ? number.doubleValue() : 0;
        return new SweepComparedResponse(
                coordinates, value, other, numbers ? two - one : null, numbers && one != 0 ? two / one : null);
    }
}
