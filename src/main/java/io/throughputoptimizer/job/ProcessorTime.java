package io.throughputoptimizer.job;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Processor time of one search over all its threads. Each thread reads its own clock when it requests the sum.
/// Thread-safe.
final class ProcessorTime {
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
