package io.throughputoptimizer.core.search.space;

/// Sums and products of counts, neither of them negative, that end at the largest number there is instead of beyond it.
public final class Tally {
    private Tally() {}

    public static long plus(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    public static long times(long one, long other) {
        return other != 0 && one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
    }
}
