package io.throughputoptimizer.job;

import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import java.time.Duration;

/// Shows that the thread lives that looks for entries of the queue: it does so every second, and tells of each look,
/// whether it succeeded or failed. Thread-safe.
final class QueuePulse extends AbstractSchedulerListener {
    /// Longer than a look at a database that does not answer takes.
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);

    private volatile long lastNanos = System.nanoTime();

    @Override
    public void onSchedulerEvent(SchedulerEventType type) {
        if (type == SchedulerEventType.RAN_EXECUTE_DUE || type == SchedulerEventType.UNEXPECTED_ERROR) {
            beat();
        }
    }

    void beat() {
        lastNanos = System.nanoTime();
    }

    boolean isFelt() {
        return System.nanoTime() - lastNanos < LONGEST_SILENCE.toNanos();
    }
}
