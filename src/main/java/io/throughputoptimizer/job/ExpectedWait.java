package io.throughputoptimizer.job;

import io.throughputoptimizer.quota.CallerQuota;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/// Estimate of the time until the queue has room for a rejected caller. It assumes that a tenth of the caller's
/// queued jobs, or more if needed, must leave the queue, that callers take turns, and that each job takes the
/// mean time of recent jobs. A caller without queued jobs needs one free place.
final class ExpectedWait {
    /// Number of recent jobs in the estimate.
    static final int SAMPLE = 32;

    private static final int PARTS_OF_QUEUE = 10;

    private ExpectedWait() {}

    /// Returns the mean job duration times the number of rounds in which all workers take a job.
    ///
    /// @param recent durations of recent jobs
    /// @param most maximum number of queued jobs
    /// @return the estimate, or empty without recent jobs
    static Optional<Duration> of(List<Duration> recent, JobStore.Waiting waiting, int most, int running) {
        if (recent.isEmpty()) {
            return Optional.empty();
        }
        Duration mean = recent.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(recent.size());
        return Optional.of(mean.multipliedBy(Math.ceilDiv(jobs(waiting, most), Math.max(1, running))));
    }

    /// Returns the number of jobs that must leave the queue.
    private static long jobs(JobStore.Waiting waiting, int most) {
        if (waiting.own() == 0) {
            return 1;
        }
        long tenth = (long) Math.max(1, waiting.own() / PARTS_OF_QUEUE) * waiting.callers();
        return LongStream.range(Math.min(tenth, waiting.jobs()), waiting.jobs())
                .filter(moved ->
                        CallerQuota.allows(waiting.own() - own(waiting, moved), (long) most - waiting.jobs() + moved))
                .findFirst()
                .orElse(waiting.jobs());
    }

    /// Returns the caller's share of the jobs that leave: its turn is last, unless others have none left.
    private static long own(JobStore.Waiting waiting, long moved) {
        return Math.max(moved / waiting.callers(), moved - (waiting.jobs() - waiting.own()));
    }
}
