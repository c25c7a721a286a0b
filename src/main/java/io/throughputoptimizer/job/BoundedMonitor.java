package io.throughputoptimizer.job;

import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.concurrent.atomic.LongAdder;

/// Of a search beside the one that a caller follows: nobody hears of its progress, and it ends with that one's, or when
/// it gets too large. Thread-safe.
final class BoundedMonitor implements SearchMonitor {
    private final SearchMonitor outer;
    private final long most;
    private final LongAdder work = new LongAdder();

    /// @param most points and simulated steps
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
