package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Counts the reports of a search and cancels it. Thread-safe.
public final class ProgressMonitor implements SearchMonitor {
    private static final int UNKNOWN = -1;

    private final Work work;
    private final Runnable giveWay;
    private final AtomicInteger candidatesDone = new AtomicInteger();
    private final LongAdder points = new LongAdder();
    private final AtomicReference<@Nullable StopReason> stopReason = new AtomicReference<>();
    private final ProcessorTime time = new ProcessorTime();
    private volatile int candidatesTotal = UNKNOWN;
    private volatile long mostNanos = Long.MAX_VALUE;

    /// Work of all searches of this process.
    record Work(LongAdder points, LongAdder passes) {
        Work() {
            this(new LongAdder(), new LongAdder());
        }
    }

    /// Creates a monitor whose work is in no total.
    public ProgressMonitor() {
        this(new Work(), () -> {});
    }

    /// @param work totals to which the search adds
    /// @param giveWay runs between points and passes of the search, on its threads; may pause
    ProgressMonitor(Work work, Runnable giveWay) {
        this.work = work;
        this.giveWay = giveWay;
    }

    /// Reasons to stop a search.
    public enum StopReason {
        /// Canceled by a caller.
        CANCELLED,
        /// Timed out.
        TIMED_OUT,
        /// Exceeded its processor time while the caller waits.
        TOO_LARGE,
        /// This replica stops. Another one, or this one later, restarts the search.
        HANDED_BACK,
        /// Another replica considered this one dead and restarts the search.
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
        giveWay.run();
    }

    @Override
    public void passPriced() {
        work.passes().increment();
        giveWay.run();
    }

    @Override
    public void stepSimulated() {
        giveWay.run();
    }

    @Override
    public boolean cancelled() {
        if (mostNanos < Long.MAX_VALUE && time.nanos() > mostNanos) {
            stop(StopReason.TOO_LARGE);
        }
        return stopReason.get() != null;
    }

    /// Stops the search once its threads have used the given processor time.
    void limit(Duration processorTime) {
        mostNanos = processorTime.toNanos();
    }

    /// Stops the search, unless it is stopped already.
    public void stop(StopReason reason) {
        stopReason.compareAndSet(null, reason);
    }

    /// Returns whether the search was stopped for a reason.
    public boolean isStopped(StopReason reason) {
        return stopReason.get() == reason;
    }

    Optional<StopReason> stopReason() {
        return Optional.ofNullable(stopReason.get());
    }

    JobProgress progress() {
        int total = candidatesTotal;
        return new JobProgress(candidatesDone.get(), total == UNKNOWN ? null : total, points.sum());
    }

    /// Processor time of one search over all its threads. Each thread reads its own clock when it requests
    /// the sum. Thread-safe.
    static final class ProcessorTime {
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
        /// Minimum interval between readings of a clock, since a reading takes longer than most units of work.
        private static final long INTERVAL_NANOS = 1_000_000;

        private static final ThreadLocal<@Nullable Reading> LAST = new ThreadLocal<>();

        private final LongAdder nanos = new LongAdder();

        /// The last reading of a thread, and its search.
        ///
        /// @param atNanos as [System#nanoTime()]
        private record Reading(ProcessorTime search, long atNanos, long processorNanos) {}

        /// Returns the sum so far, including the calling thread.
        long nanos() {
            long now = System.nanoTime();
            Reading last = LAST.get();
            if (last == null || last.search != this || now - last.atNanos >= INTERVAL_NANOS) {
                read(last, now);
            }
            return nanos.sum();
        }

        /// Ends a unit of work of the calling thread, which turns to other searches.
        void pause() {
            read(LAST.get(), 0);
            LAST.remove();
        }

        private void read(@Nullable Reading last, long now) {
            Reading next = new Reading(this, now, THREADS.getCurrentThreadCpuTime());
            if (last != null && last.search == this) {
                nanos.add(next.processorNanos - last.processorNanos);
            }
            LAST.set(next);
        }
    }
}
