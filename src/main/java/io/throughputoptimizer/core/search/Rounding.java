package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.serving.Figures;
import org.jspecify.annotations.Nullable;

/// Rounding of recorded figures.
final class Rounding {
    private Rounding() {}

    /// Returns `rint(x * 1000) / 1000`, half to even.
    static double toThousandths(double value) {
        return Math.rint(value * 1000) / 1000;
    }

    /// Returns `rint(x * 1000000) / 1000000`, half to even.
    static double toMillionths(double value) {
        return Math.rint(value * 1_000_000) / 1_000_000;
    }

    /// Returns figures rounded to 3 decimals, except requests per second.
    static Figures rounded(Figures figures) {
        return new Figures(
                orAbsent(figures.ttftMillis()),
                orAbsent(figures.tpotMillis()),
                toThousandths(figures.tokensPerSecond()),
                toThousandths(figures.tokensPerSecondPerDevice()),
                figures.sustainedRequestsPerS(),
                orAbsent(figures.requestLatencyMillis()),
                figures.kept());
    }

    static @Nullable Double orAbsent(@Nullable Double value) {
        return value == null ? null : toThousandths(value);
    }
}
