package io.throughputoptimizer.catalog;

import java.math.BigDecimal;

/// Numbers that make sense for a member, ends included. The far ends keep results finite.
record NumberRange(double min, double max) {
    /// Rates, bandwidths and sizes, in the large units of documents.
    static final NumberRange AMOUNT = new NumberRange(1e-6, 1e9);

    /// Shares of a peak.
    static final NumberRange SHARE = new NumberRange(1e-6, 1);

    /// Times in microseconds.
    static final NumberRange TIME = new NumberRange(0, 1e9);

    boolean contains(double value) {
        return value >= min && value <= max;
    }

    String rule() {
        return "a number from " + plain(min) + " to " + plain(max) + " is needed";
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
