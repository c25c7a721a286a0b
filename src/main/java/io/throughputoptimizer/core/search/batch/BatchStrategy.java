package io.throughputoptimizer.core.search.batch;

/// Strategy that widens the range of batch sizes before the search bisects it.
public enum BatchStrategy {
    /// Bisects 1 to 512 without widening.
    BINARY,
    /// Doubles the upper end while it is feasible.
    EXPONENTIAL,
    /// Like exponential, but stops at an upper end extrapolated from the probes so far.
    LINEAR_EXPONENTIAL,
    /// Tries every batch size below the first doubling of 1 that is infeasible.
    EXHAUSTIVE;

    /// Returns the search of this strategy.
    public BatchSearch search() {
        return switch (this) {
            case BINARY -> new BisectingSearch(0, false);
            case EXPONENTIAL -> new BisectingSearch(BatchSearch.DOUBLINGS, false);
            case LINEAR_EXPONENTIAL -> new BisectingSearch(BatchSearch.DOUBLINGS, true);
            case EXHAUSTIVE -> new ExhaustiveSearch(Long.MAX_VALUE, 1);
        };
    }
}
