package io.throughputoptimizer.core.kernels.operator;

/// Times and how they join: two units that work at once take a little longer than the slower one alone.
final class Times {
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double NANOS_PER_MICRO = 1000;

    private Times() {}

    /// Microseconds that `amount` takes at `rate` per second.
    static double us(double amount, double rate) {
        return amount / rate * MICROS_PER_SECOND;
    }

    /// Microseconds of a time in nanoseconds.
    static double microseconds(double nanoseconds) {
        return nanoseconds / NANOS_PER_MICRO;
    }

    /// Returns `(a^4 + b^4)^(1/4)`: both units are busy most of the time.
    static double overlapped(double a, double b) {
        double longer = Math.max(a, b);
        double share = Math.min(a, b) / longer;
        double square = share * share;
        return longer * Math.sqrt(Math.sqrt(1 + square * square));
    }

    /// Returns `(a^1.5 + b^1.5)^(1/1.5)`: one unit often waits for the other.
    static double interleaved(double a, double b) {
        double longer = Math.max(a, b);
        double share = Math.min(a, b) / longer;
        double sum = 1 + share * Math.sqrt(share);
        return longer * Math.cbrt(sum * sum);
    }

    /// Returns `log2(1 + x)`.
    static double log2OnePlus(double x) {
        return Math.log1p(x) / LOG_2;
    }

    private static final double LOG_2 = Math.log(2);
}
