package io.throughputoptimizer.core.search;

import org.jspecify.annotations.Nullable;

/// Rounding of recorded figures.
final class Rounding {
    private Rounding() {}

    /// `rint(x * 1000) / 1000`, half to even.
    static double toThousandths(double value) {
        return Math.rint(value * 1000) / 1000;
    }

    static @Nullable Double orAbsent(@Nullable Double value) {
        return value == null ? null : toThousandths(value);
    }
}
