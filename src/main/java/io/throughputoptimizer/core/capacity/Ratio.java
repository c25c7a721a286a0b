package io.throughputoptimizer.core.capacity;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/// An exact quotient of two positive decimals. Numbers are taken as written: a demand of 3.3 requests/s at 1.1
/// requests/s per instance takes 3 instances, whereas the quotient of doubles would take 4.
///
/// @param above numerator
/// @param below denominator
record Ratio(BigDecimal above, BigDecimal below) implements Comparable<Ratio> {
    private static final MathContext SHOWN = new MathContext(15, RoundingMode.DOWN);
    private static final BigDecimal MOST = BigDecimal.valueOf(1L << 50);
    private static final BigDecimal WITHOUT_LAST_BITS = new BigDecimal("0.999999999999");

    Ratio {
        if (above.signum() <= 0 || below.signum() <= 0) {
            throw new IllegalArgumentException(above + " / " + below + ": both must be positive");
        }
    }

    static Ratio of(double value) {
        return of(value, 1);
    }

    static Ratio of(double above, double below) {
        return new Ratio(BigDecimal.valueOf(above), BigDecimal.valueOf(below));
    }

    Ratio times(Ratio other) {
        return new Ratio(above.multiply(other.above), below.multiply(other.below));
    }

    Ratio times(long factor) {
        return new Ratio(above.multiply(BigDecimal.valueOf(factor)), below);
    }

    Ratio dividedBy(Ratio other) {
        return new Ratio(above.multiply(other.below), below.multiply(other.above));
    }

    Ratio dividedBy(long divisor) {
        return new Ratio(above, below.multiply(BigDecimal.valueOf(divisor)));
    }

    /// Returns the smallest integer that is not below the quotient less a share of `1e-12`; at most `2^50`. The
    /// share covers the last bits of products of doubles, such as the rate of six instances.
    long ceiling() {
        return above.multiply(WITHOUT_LAST_BITS)
                .divide(below, 0, RoundingMode.CEILING)
                .min(MOST)
                .longValueExact();
    }

    @Override
    public int compareTo(Ratio other) {
        return above.multiply(other.below).compareTo(other.above.multiply(below));
    }

    double value() {
        return above.divide(below, MathContext.DECIMAL64).doubleValue();
    }

    /// Returns the value rounded down to 15 digits, so that its decimal does not exceed the quotient.
    double floored() {
        return above.divide(below, SHOWN).doubleValue();
    }

    static Ratio least(Ratio one, Ratio other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
