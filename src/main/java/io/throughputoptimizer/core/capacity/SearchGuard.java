package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.SearchMonitor;

/// Reports progress and memory use of a calibrated search, and throws if the search is canceled or exceeds its
/// memory budget.
record SearchGuard(SearchMonitor monitor, MemoryBudget allowance) {
    /// Memory of one instance: its deployment and kernels.
    static final long INSTANCE_BYTES = 6144;

    /// Reports an evaluated concurrency.
    void step() {
        checkpoint();
        monitor.pointEvaluated();
    }

    /// Throws if the search is canceled. Call between units of work.
    void checkpoint() {
        monitor.failWhenCancelled();
    }

    /// Returns whether the memory budget has room.
    boolean hasRoom(long bytes) {
        return allowance.holds(bytes);
    }

    /// @throws io.throughputoptimizer.core.search.SearchMemoryException if the budget is exceeded
    void keep(long bytes) {
        allowance.take(bytes);
    }
}
