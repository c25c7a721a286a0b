package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.kernels.Bands.Band;
import io.throughputoptimizer.core.kernels.LaunchRange;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// A figure with its prediction interval or launch range; neither if it is uncalibrated on a device whose
/// launches do not matter.
///
/// @param range range of launch overhead on an Ascend device
public record Uncertain(
        double value, Optional<Band> band, @Nullable LaunchRange range) {

    /// Returns a figure that falls as this one rises, `inverse * value = constant`, with the ends of its
    /// interval swapped.
    Uncertain inverse(double other) {
        double constant = other * value;
        return new Uncertain(
                other,
                band.map(ends -> new Band(
                        ends.high().isPresent() ? constant / ends.high().getAsDouble() : 0,
                        ends.low() > 0 ? OptionalDouble.of(constant / ends.low()) : OptionalDouble.empty(),
                        ends.basis())),
                range == null ? null : new LaunchRange(constant / range.high(), constant / range.low()));
    }
}
