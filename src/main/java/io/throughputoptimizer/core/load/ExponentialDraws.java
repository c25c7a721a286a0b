package io.throughputoptimizer.core.load;

/// Times of an exponential distribution, the same for a seed: `-ln(1 - u)` of its mean, with `u` from SplitMix64.
final class ExponentialDraws {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;
    private static final long FIRST_FACTOR = 0xBF58476D1CE4E5B9L;
    private static final long SECOND_FACTOR = 0x94D049BB133111EBL;

    private long state;

    ExponentialDraws(long seed) {
        state = seed;
    }

    /// Returns the next draw, of mean 1.
    double next() {
        state += GAMMA;
        return -Math.log1p(-uniform(state));
    }

    private static double uniform(long state) {
        long mixed = (state ^ (state >>> 30)) * FIRST_FACTOR;
        mixed = (mixed ^ (mixed >>> 27)) * SECOND_FACTOR;
        return ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1p-53;
    }
}
