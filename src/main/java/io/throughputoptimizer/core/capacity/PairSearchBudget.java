package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.concurrent.atomic.AtomicLong;

/// Budget of concurrencies for a search of pairs on one kind of device. Once it is exhausted, the search starts
/// no further pair of layouts.
///
/// Only figures requested sequentially by the search thread count. Figures that other threads compute ahead
/// count when they are requested, so the search ends at the same place with any number of threads.
final class PairSearchBudget {
    /// Budget of all kinds of device together.
    static final long ALL = 1_500_000;

    /// Memory of the result for one pair of counts; the first includes the pair itself.
    private static final long KNOWN_BYTES = 384;

    private final SearchGuard overseer;
    private final long most;
    private final AtomicLong looked = new AtomicLong();
    private final AtomicLong aheadBytes = new AtomicLong();
    private long counted;

    PairSearchBudget(SearchGuard overseer, long most) {
        this.overseer = overseer;
        this.most = most;
    }

    /// Reports an evaluated concurrency; thread-safe.
    void look() {
        overseer.step();
        looked.incrementAndGet();
    }

    /// Reports a result that was computed ahead.
    void found() {
        aheadBytes.addAndGet(KNOWN_BYTES);
    }

    /// Counts a result at its first request.
    ///
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException if the memory budget is exceeded
    void askedFor(long looks) {
        aheadBytes.addAndGet(-KNOWN_BYTES);
        overseer.keep(KNOWN_BYTES);
        count(looks);
    }

    /// Counts evaluations whose results are not kept.
    void count(long looks) {
        counted += looks;
    }

    long counted() {
        return counted;
    }

    boolean isExhausted() {
        return counted >= most;
    }

    /// Returns whether figures can be computed ahead within the evaluation and memory budgets.
    boolean lastsAhead() {
        overseer.checkpoint();
        return looked.get() < most && overseer.hasRoom(aheadBytes.get());
    }

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
}
