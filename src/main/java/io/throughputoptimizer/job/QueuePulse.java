package io.throughputoptimizer.job;

import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import java.time.Duration;

/// Detects whether the polling thread of the queue is alive: it polls every second and reports each poll,
/// successful or not. Thread-safe.
final class QueuePulse extends AbstractSchedulerListener {
    /// Longer than a poll of a database that does not respond.
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
