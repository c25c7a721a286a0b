package io.throughputoptimizer.api;

/// Largest values taken in requests: far beyond any real deployment, and low enough that no product of them
/// leaves the range in which the formulas are exact.
public final class Bounds {
    /// Maximum of token counts, sizes, devices and pixels.
    public static final long COUNT = 1_000_000;

    /// Maximum concurrency that a plan must serve; no search tries larger batch sizes on its own.
    public static final long CONCURRENCY = 500_000;

    /// Maximum of counts in a single pass; searches reach it on their own.
    public static final long PASS_COUNT = 10_000_000;

    /// Maximum weight of a bin, so that a sum of weights stays finite.
    public static final String WEIGHT = "1000000000000000";

    /// Maximum of times in ms and of memory in GiB that are added to figures.
    public static final String AMOUNT = "1000000000";

    /// Maximum length of lists.
    public static final int LIST = 1_000;

    /// Maximum nesting of objects and lists.
    public static final int NESTING = 100;

    /// Maximum number of values in a request.
    static final int VALUES = 100_000;

    /// Maximum number of values in a request with a long model configuration, before its module names are folded.
    static final int VALUES_OF_LONG_CONFIG = 400_000;

    /// Maximum number of digits in a number.
    public static final int DIGITS = 1_000;

    /// Maximum number of requests that are recorded individually.
    public static final int RECORDED = 20_000;

    /// Maximum number of characters in the name of a field.
    public static final int NAME = 1_000;

    /// Maximum number of device kinds in a request.
    public static final int DEVICE_KINDS = 64;

    private Bounds() {}
}
