package io.throughputoptimizer.job;

import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Counts what a search reports, and tells it when to stop. Thread-safe.
final class ProgressMonitor implements SearchMonitor {
    private static final int UNKNOWN = -1;

    private final AtomicInteger candidatesDone = new AtomicInteger();
    private final LongAdder points = new LongAdder();
    private volatile int candidatesTotal = UNKNOWN;
    private volatile boolean cancelled;

    @Override
    public void candidatesTotal(int total) {
        candidatesTotal = total;
    }

    @Override
    public void candidateDone() {
        candidatesDone.incrementAndGet();
    }

    @Override
    public void pointEvaluated() {
        points.increment();
    }

    @Override
    public boolean cancelled() {
        return cancelled;
    }

    void cancel() {
        cancelled = true;
    }

    JobProgress progress() {
        int total = candidatesTotal;
        return new JobProgress(candidatesDone.get(), total == UNKNOWN ? null : total, points.sum());
    }
}
