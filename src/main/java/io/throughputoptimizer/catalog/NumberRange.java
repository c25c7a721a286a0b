package io.throughputoptimizer.catalog;

import java.math.BigDecimal;

/// Numbers that make sense for a member, ends included. The far ends keep results finite.
record NumberRange(double min, double max) {
    /// Ends as the API description says them.
    static final String NONE = "0";

    static final String LEAST = "0.000001";
    static final String WHOLE = "1";
    static final String MOST = "1000000000";
    static final String MOST_BYTES = "1000000000000000";

    /// Rates, bandwidths and sizes, in the large units of documents.
    static final NumberRange AMOUNT = of(LEAST, MOST);

    /// Shares of a peak.
    static final NumberRange SHARE = of(LEAST, WHOLE);

    /// Times in microseconds.
    static final NumberRange TIME = of(NONE, MOST);

    /// Rates of which some may not be there.
    static final NumberRange RATE = of(NONE, MOST);

    /// Shares of a peak as fits find them: caches may carry them above it.
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
        return "a number from " + plain(min) + " to " + plain(max) + " is needed";
    }

    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
