package io.throughputoptimizer.job;

import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.concurrent.atomic.LongAdder;

/// Monitor of a secondary search. It reports no progress and cancels the search when the primary search is
/// canceled or the work exceeds a bound. Thread-safe.
final class BoundedMonitor implements SearchMonitor {
    private final SearchMonitor outer;
    private final long most;
    private final LongAdder work = new LongAdder();

    /// @param most maximum number of points and simulated steps
    BoundedMonitor(SearchMonitor outer, long most) {
        this.outer = outer;
        this.most = most;
    }

    @Override
    public void pointEvaluated() {
        work.increment();
    }

    @Override
    public void stepSimulated() {
        work.increment();
    }

    @Override
    public boolean cancelled() {
        return outer.cancelled() || work.sum() > most;
    }
}
