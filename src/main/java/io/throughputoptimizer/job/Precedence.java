package io.throughputoptimizer.job;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/// Lets queued searches give way to searches that callers wait for: while there are such, queued searches compute
/// in the first fifth of every 5 ms only. Thread-safe.
final class Precedence {
    static final long PERIOD_NANOS = 5_000_000;
    static final long TURN_NANOS = PERIOD_NANOS / 5;

    private final AtomicInteger awaited = new AtomicInteger();
    private final LongSupplier nanoTime;
    private final LongConsumer park;

    Precedence() {
        this(System::nanoTime, LockSupport::parkNanos);
    }

    /// @param nanoTime clock, as [System#nanoTime()]
    /// @param park lets the calling thread pause for that many nanoseconds
    Precedence(LongSupplier nanoTime, LongConsumer park) {
        this.nanoTime = nanoTime;
        this.park = park;
    }

    /// Adds a search that a caller waits for.
    void begin() {
        awaited.incrementAndGet();
    }

    /// Removes a search that a caller has waited for.
    void end() {
        awaited.decrementAndGet();
    }

    /// Pauses the calling thread, which runs a queued search, until its next turn.
    void giveWay() {
        if (awaited.get() > 0) {
            long since = Math.floorMod(nanoTime.getAsLong(), PERIOD_NANOS);
            if (since >= TURN_NANOS) {
                park.accept(PERIOD_NANOS - since);
            }
        }
    }
}
