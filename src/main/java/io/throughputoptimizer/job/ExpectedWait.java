package io.throughputoptimizer.job;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// When a caller who found the queue full may find a place: once a tenth of the queue has moved on, taking the mean
/// time of recent jobs for the time of the next.
final class ExpectedWait {
    /// How many recent jobs are looked at.
    static final int SAMPLE = 32;

    private static final int PARTS_OF_QUEUE = 10;

    private ExpectedWait() {}

    /// Mean time of a job, times the jobs to wait for, divided by the jobs that run side by side.
    ///
    /// @param recent how long recent jobs took
    /// @return empty when there are none
    static Optional<Duration> of(List<Duration> recent, int waiting, int running) {
        if (recent.isEmpty()) {
            return Optional.empty();
        }
        Duration mean = recent.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(recent.size());
        return Optional.of(
                mean.multipliedBy(Math.max(1, waiting / PARTS_OF_QUEUE)).dividedBy(Math.max(1, running)));
    }
}
