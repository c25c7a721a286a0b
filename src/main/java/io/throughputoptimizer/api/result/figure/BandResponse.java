package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.calibrated.CalibratedPoint.Uncertain;
import io.throughputoptimizer.core.kernels.Bands.Band;
import io.throughputoptimizer.core.kernels.LaunchRange;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Prediction interval of a figure.
@Schema(name = "Band")
public record BandResponse(@Nullable Double low, @Nullable Double high, String basis) {

    /// Returns the interval of a figure; absent without a figure or a band.
    public static @Nullable BandResponse of(@Nullable Uncertain figure) {
        return figure == null ? null : from(figure.band());
    }

    /// The range of a figure; absent where there is none, or no range.
    public static @Nullable BandResponse rangeOf(@Nullable Uncertain figure) {
        return figure == null ? null : from(figure.range());
    }

    public static @Nullable BandResponse from(Optional<Band> band) {
        return band.map(known -> new BandResponse(
                        known.low() > 0 ? known.low() : null,
                        known.high().isPresent() ? known.high().getAsDouble() : null,
                        known.basis()))
                .orElse(null);
    }

    public static @Nullable BandResponse from(@Nullable LaunchRange range) {
        return range == null ? null : new BandResponse(range.low(), range.high(), LaunchRange.BASIS);
    }
}
