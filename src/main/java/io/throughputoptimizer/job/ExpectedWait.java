package io.throughputoptimizer.job;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// When a caller who found no place in the queue may find one: once a tenth of its own jobs there has moved on, of
/// which
/// each of those who wait gets one in turn, taking the mean time of recent jobs for the time of the next. A caller who
/// has none there needs one place, whoever had it.
final class ExpectedWait {
    /// How many recent jobs are looked at.
    static final int SAMPLE = 32;

    private static final int PARTS_OF_QUEUE = 10;

    private ExpectedWait() {}

    /// Mean time of a job, times the jobs to wait for, divided by the jobs that run side by side. The jobs to wait for
    /// are a tenth of the caller's own, times the callers who take turns.
    ///
    /// @param recent how long recent jobs took
    /// @return empty when there are none
    static Optional<Duration> of(List<Duration> recent, JobStore.Waiting waiting, int running) {
        if (recent.isEmpty()) {
            return Optional.empty();
        }
        Duration mean = recent.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(recent.size());
        return Optional.of(mean.multipliedBy(jobs(waiting)).dividedBy(Math.max(1, running)));
    }

    private static long jobs(JobStore.Waiting waiting) {
        if (waiting.own() == 0) {
            return 1;
        }
        long ownTurns = Math.max(1, waiting.own() / PARTS_OF_QUEUE);
        return Math.min(waiting.jobs(), ownTurns * waiting.sharers());
    }
}
