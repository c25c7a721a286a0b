package io.throughputoptimizer.core.serving;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// Numbers as text in reasons: one decimal, or as many as it takes to tell a value from its limit.
final class Decimals {
    private static final int MOST = 12;

    private Decimals() {}

    /// Fewest decimals, at least one, with which the two values read differently.
    static int toTell(double value, double limit) {
        int decimals = 1;
        while (decimals < MOST && format(value, decimals).equals(format(limit, decimals))) {
            decimals++;
        }
        return decimals;
    }

    static String format(double value, int decimals) {
        return new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString();
    }

    /// A given number as short as it was given: 2000 rather than 2000.0.
    static String shortest(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
