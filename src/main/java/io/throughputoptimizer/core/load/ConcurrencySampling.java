package io.throughputoptimizer.core.load;

/// Sampling of concurrencies in the search for the best: in steps of a quarter, and around the local maxima of
/// these.
public enum ConcurrencySampling {
    /// Around all local maxima.
    EVERY_SUMMIT(Integer.MAX_VALUE),
    /// Around the best two local maxima.
    BEST_SUMMITS(2),
    /// Each concurrency, without a search for maxima: latencies need not grow with it. From twice [#SINGLY] on
    /// each is 1/512 larger than the last.
    EACH(0);

    private static final double FACTOR = 1.25;
    private static final int SINGLY = 512;
    private static final double SCANS_OF_A_DOUBLING = 3.2;

    private final int summits;

    ConcurrencySampling(int summits) {
        this.summits = summits;
    }

    /// Returns the maximum number of local maxima to search around.
    int summits() {
        return summits;
    }

    /// Returns the next concurrency.
    ///
    /// @param largest upper bound of the result
    int next(int last, int largest) {
        if (this == EACH) {
            return (int) Math.min(last + Math.max(1L, last / SINGLY), largest);
        }
        return (int) Math.min(Math.max(last + 1L, (long) (last * FACTOR)), largest);
    }

    /// Returns an upper bound of the concurrencies tried in a range: a bisection on the limits, a scan, and two
    /// bisections around each local maximum.
    public long mostTried(long concurrencies) {
        long doublings = (long) Long.SIZE - Long.numberOfLeadingZeros(concurrencies);
        if (this == EACH) {
            return Math.min(concurrencies, SINGLY * (doublings + 1));
        }
        long scanned = (long) Math.ceil(SCANS_OF_A_DOUBLING * (doublings + 2));
        return Math.min(concurrencies, doublings + scanned + Math.min(scanned, summits) * 2 * doublings);
    }
}
