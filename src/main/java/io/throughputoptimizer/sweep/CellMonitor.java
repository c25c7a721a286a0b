package io.throughputoptimizer.sweep;

import io.throughputoptimizer.core.search.SearchMonitor;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Tells the searches of a chunk, one after the other, when to stop: each after its time, and all of them when nobody
/// wants the chunk any more. Thread-safe.
final class CellMonitor implements SearchMonitor {
    private final AtomicReference<@Nullable StopReason> stopReason = new AtomicReference<>();
    private final long timeoutNanos;
    private volatile long startedNanos = System.nanoTime();

    /// @param timeout maximum time of each search
    CellMonitor(Duration timeout) {
        this.timeoutNanos = timeout.toNanos();
    }

    /// The reason to stop a chunk.
    enum StopReason {
        /// The sweep has ended: it was cancelled or removed.
        ENDED,
        /// This replica stops: another one, or this one later, restarts the chunk.
        HANDED_BACK
    }

    /// Another search begins.
    void begin() {
        startedNanos = System.nanoTime();
    }

    /// Stops the chunk, if nothing has stopped it yet.
    void stop(StopReason reason) {
        stopReason.compareAndSet(null, reason);
    }

    /// Absent while the chunk goes on.
    @Nullable
    StopReason stopReason() {
        return stopReason.get();
    }

    @Override
    public boolean cancelled() {
        return stopReason.get() != null || System.nanoTime() - startedNanos > timeoutNanos;
    }
}
