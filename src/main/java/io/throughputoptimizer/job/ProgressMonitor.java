package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Counts what a search reports, and tells it when to stop. Thread-safe.
final class ProgressMonitor implements SearchMonitor {
    private static final int UNKNOWN = -1;

    private final Work work;
    private final AtomicInteger candidatesDone = new AtomicInteger();
    private final LongAdder points = new LongAdder();
    private final AtomicReference<@Nullable StopReason> stopReason = new AtomicReference<>();
    private final ProcessorTime time = new ProcessorTime();
    private volatile int candidatesTotal = UNKNOWN;
    private volatile long mostNanos = Long.MAX_VALUE;

    /// What all searches of this process have done together.
    record Work(LongAdder points, LongAdder passes) {
        Work() {
            this(new LongAdder(), new LongAdder());
        }
    }

    /// @param work where it is counted besides what the search does
    ProgressMonitor(Work work) {
        this.work = work;
    }

    /// Why a search is stopped.
    enum StopReason {
        /// Somebody asked for it.
        CANCELLED,
        /// It took too long.
        TIMED_OUT,
        /// It took the processor time that it may take while its caller waits.
        TOO_LARGE,
        /// This replica stops: another one, or this one later, starts the search anew.
        HANDED_BACK,
        /// Another replica took this one for dead and starts the search anew, or has.
        LOST
    }

    @Override
    public void candidatesTotal(int total) {
        candidatesTotal = total;
    }

    @Override
    public void candidateDone() {
        candidatesDone.incrementAndGet();
        time.pause();
    }

    @Override
    public void pointEvaluated() {
        points.increment();
        work.points().increment();
    }

    @Override
    public void passPriced() {
        work.passes().increment();
    }

    @Override
    public boolean cancelled() {
        if (time.nanos() > mostNanos) {
            stop(StopReason.TOO_LARGE);
        }
        return stopReason.get() != null;
    }

    /// Stops the search once all its threads together have taken this much processor time.
    void limit(Duration processorTime) {
        mostNanos = processorTime.toNanos();
    }

    /// Stops the search, if nothing has stopped it yet.
    void stop(StopReason reason) {
        stopReason.compareAndSet(null, reason);
    }

    Optional<StopReason> stopReason() {
        return Optional.ofNullable(stopReason.get());
    }

    JobProgress progress() {
        int total = candidatesTotal;
        return new JobProgress(candidatesDone.get(), total == UNKNOWN ? null : total, points.sum());
    }
}
