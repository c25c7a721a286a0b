package io.throughputoptimizer.core.search.batch;

/// How the batch size search widens its range before it bisects.
public enum BatchStrategy {
    /// Bisects 1 to 512 without widening.
    BINARY,
    /// Doubles the upper end while it is feasible.
    EXPONENTIAL,
    /// As exponential, and stops at an upper end extrapolated from the probes so far.
    LINEAR_EXPONENTIAL,
    /// Tries every batch size below the first doubling of 1 that is infeasible.
    EXHAUSTIVE;

    /// Looks as it says.
    public BatchSearch search() {
        return switch (this) {
            case BINARY -> new BisectingSearch(0, RightBoundary.UNKNOWN);
            case EXPONENTIAL -> new BisectingSearch(BatchSearch.DOUBLINGS, RightBoundary.UNKNOWN);
            case LINEAR_EXPONENTIAL -> new BisectingSearch(BatchSearch.DOUBLINGS, RightBoundary.EXTRAPOLATED);
            case EXHAUSTIVE -> new ExhaustiveSearch();
        };
    }
}
