package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.search.Allowance;
import io.throughputoptimizer.core.search.SearchMonitor;

/// Hears what the search of measured devices does and keeps, and ends it by an exception where that is asked for or too
/// much.
record Overseer(SearchMonitor monitor, Allowance allowance) {
    /// Of an instance that can be priced: its deployment, and its kernels.
    static final long INSTANCE_BYTES = 6144;

    /// A concurrency is looked at.
    void step() {
        checkpoint();
        monitor.pointEvaluated();
    }

    /// Between other pieces of work.
    void checkpoint() {
        monitor.failWhenCancelled();
    }

    /// Whether so much more may be kept.
    boolean hasRoom(long bytes) {
        return allowance.holds(bytes);
    }

    /// @throws io.throughputoptimizer.core.search.SearchMemoryException if that is more than there is
    void keep(long bytes) {
        allowance.take(bytes);
    }
}
