package io.throughputoptimizer;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A check that costs too much to be made for each who asks: one is made at a time, and who asks soon after learns how
/// the last one ended. Thread-safe.
final class SharedCheck {
    private static final Duration FRESH = Duration.ofSeconds(5);

    /// Short, so that a past failure is not reported for long.
    private static final Duration FRESH_FAILURE = Duration.ofSeconds(1);

    private final Runnable check;
    private final LongSupplier nanos;
    private final ReentrantLock turn = new ReentrantLock();
    private @Nullable Outcome last;

    private record Outcome(long at, @Nullable RuntimeException failure) {
        boolean isFresh(long now) {
            return now - at < (failure == null ? FRESH : FRESH_FAILURE).toNanos();
        }
    }

    /// @param check fails if something is wrong
    /// @param nanos [System#nanoTime]
    SharedCheck(Runnable check, LongSupplier nanos) {
        this.check = check;
        this.nanos = nanos;
    }

    /// Fails as the check does, or did within the last seconds.
    void check() {
        turn.lock();
        try {
            Outcome outcome = last;
            if (outcome == null || !outcome.isFresh(nanos.getAsLong())) {
                outcome = make();
                last = outcome;
            }
            if (outcome.failure() != null) {
                throw outcome.failure();
            }
        } finally {
            turn.unlock();
        }
    }

    private Outcome make() {
        RuntimeException failure = null;
        try {
            check.run();
        } catch (RuntimeException e) {
            failure = e;
        }
        return new Outcome(nanos.getAsLong(), failure);
    }
}
