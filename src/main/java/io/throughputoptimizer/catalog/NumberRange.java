package io.throughputoptimizer.catalog;

import java.math.BigDecimal;

/// The allowed range of a field, ends included. Its bounds keep results finite.
record NumberRange(double min, double max) {
    /// Bounds in the syntax of the API description.
    static final String NONE = "0";

    static final String LEAST = "0.000001";
    static final String WHOLE = "1";
    static final String MOST = "1000000000";
    static final String MOST_BYTES = "1000000000000000";

    /// Rates, bandwidths and sizes, in the large units of documents.
    static final NumberRange AMOUNT = of(LEAST, MOST);

    /// Fractions of a peak.
    static final NumberRange SHARE = of(LEAST, WHOLE);

    /// Times in microseconds.
    static final NumberRange TIME = of(NONE, MOST);

    /// Rates, which can be missing.
    static final NumberRange RATE = of(NONE, MOST);

    /// Fitted fractions of a peak, which caches can raise above 1.
    static final NumberRange EFFICIENCY = of(LEAST, "10");

    static final NumberRange BYTES_PER_SECOND = of(WHOLE, MOST_BYTES);

    static final NumberRange COUNT = of(WHOLE, MOST);

    private static NumberRange of(String min, String max) {
        return new NumberRange(Double.parseDouble(min), Double.parseDouble(max));
    }

    boolean contains(double value) {
        return value >= min && value <= max;
    }

    String rule() {
        return "a number from " + plain(min) + " to " + plain(max);
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
