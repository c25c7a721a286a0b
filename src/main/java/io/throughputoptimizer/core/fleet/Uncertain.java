package io.throughputoptimizer.core.fleet;

import io.throughputoptimizer.core.silicon.Bands.Band;
import io.throughputoptimizer.core.silicon.LaunchRange;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A figure and where it may lie; neither where it is uncalibrated on a device whose launches count.
///
/// @param range on an Ascend device
public record Uncertain(
        double value, Optional<Band> band, @Nullable LaunchRange range) {}
