package io.throughputoptimizer.core.hardware;

/// Validations shared by the records of this package; messages contain field, value and rule.
final class Rates {
    private Rates() {}

    static void requirePositive(String field, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(field + " is " + value + ": a finite number above 0 is needed");
        }
    }

    static void requireNotNegative(String field, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(field + " is " + value + ": a finite number of at least 0 is needed");
        }
    }

    static void requireShare(String field, double value) {
        if (!(value > 0 && value <= 1)) {
            throw new IllegalArgumentException(field + " is " + value + ": a number above 0 and at most 1 is needed");
        }
    }
}
