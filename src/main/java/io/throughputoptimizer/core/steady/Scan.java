package io.throughputoptimizer.core.steady;

/// How closely concurrencies are looked at in search of the best: in steps of a quarter, and around those of them that
/// are not below their neighbours.
public enum Scan {
    /// Around all of these.
    EVERY_SUMMIT(Integer.MAX_VALUE),
    /// Around the best two of these.
    BEST_SUMMITS(2),
    /// No summit is looked for, as each concurrency is tried: latencies need not grow with it. From twice
    /// [#SINGLY] on each is 1/512 larger than the last.
    EACH(0);

    private static final double FACTOR = 1.25;
    private static final int SINGLY = 512;
    private static final double SCANS_OF_A_DOUBLING = 3.2;

    private final int summits;

    Scan(int summits) {
        this.summits = summits;
    }

    /// Most places around which it looks.
    int summits() {
        return summits;
    }

    /// The next concurrency after another.
    ///
    /// @param largest that is not exceeded
    int next(int last, int largest) {
        if (this == EACH) {
            return (int) Math.min(last + Math.max(1L, last / SINGLY), largest);
        }
        return (int) Math.min(Math.max(last + 1L, (long) (last * FACTOR)), largest);
    }

    /// Upper bound of the concurrencies that are tried of so many: a bisection on the limits, a scan, and two
    /// bisections at each of its places around which it looks.
    public long mostTried(long concurrencies) {
        long doublings = (long) Long.SIZE - Long.numberOfLeadingZeros(concurrencies);
        if (this == EACH) {
            return Math.min(concurrencies, SINGLY * (doublings + 1));
        }
        long scanned = (long) Math.ceil(SCANS_OF_A_DOUBLING * (doublings + 2));
        return Math.min(concurrencies, doublings + scanned + Math.min(scanned, summits) * 2 * doublings);
    }
}
