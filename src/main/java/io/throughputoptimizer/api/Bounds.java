package io.throughputoptimizer.api;

/// Largest values taken in requests: far beyond any real deployment, and low enough that no product of them
/// leaves the range in which the formulas are exact.
public final class Bounds {
    /// Of token counts, sizes, devices and pixels.
    public static final long COUNT = 1_000_000;

    /// Of requests that a plan must serve at once: no search tries larger batch sizes by itself.
    public static final long CONCURRENCY = 500_000;

    /// Of counts in a single pass, which a search reaches by itself.
    public static final long PASS_COUNT = 10_000_000;

    /// Of a bin's weight, so that a sum of weights stays finite.
    public static final String WEIGHT = "1000000000000000";

    /// Of times in ms and memory in GB that are added to figures.
    public static final String AMOUNT = "1000000000";

    /// Of list lengths.
    public static final int LIST = 1_000;

    /// Of objects and lists within each other.
    public static final int NESTING = 100;

    /// Of numbers, texts and other values in a whole request.
    static final int VALUES = 100_000;

    /// The same of a request with a long configuration of a model, before its names of modules are folded.
    static final int VALUES_OF_LONG_CONFIG = 400_000;

    /// Of digits in a number.
    public static final int DIGITS = 1_000;

    /// Of requests that are recorded one by one.
    public static final int RECORDED = 20_000;

    /// Of characters in the name of a member.
    public static final int NAME = 1_000;

    /// Of kinds of device in one request.
    public static final int DEVICE_KINDS = 64;

    private Bounds() {}
}
