package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.silicon.Bands.Band;
import io.throughputoptimizer.core.silicon.LaunchRange;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// A figure and where it may lie; neither where it is uncalibrated on a device whose launches count.
///
/// @param range on an Ascend device
public record Uncertain(
        double value, Optional<Band> band, @Nullable LaunchRange range) {

    /// A figure that falls as this one rises, `inverse * value = constant`; its ends are those of this one, in turn.
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
