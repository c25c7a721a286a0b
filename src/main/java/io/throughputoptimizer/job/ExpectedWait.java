package io.throughputoptimizer.job;

import io.throughputoptimizer.share.Shares;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/// When a caller who found no place in the queue may find one: once a tenth of its own jobs there has moved on, or more
/// where that gives it no place yet, of which each of those who wait gets one in turn, taking the mean time of recent
/// jobs for the time of the next. A caller who has none there needs one place, whoever had it.
final class ExpectedWait {
    /// How many recent jobs are looked at.
    static final int SAMPLE = 32;

    private static final int PARTS_OF_QUEUE = 10;

    private ExpectedWait() {}

    /// Mean time of a job, times the rounds in which as many jobs move on as run side by side, which may have begun
    /// together.
    ///
    /// @param recent how long recent jobs took
    /// @param most that may wait
    /// @return empty when there are no recent ones
    static Optional<Duration> of(List<Duration> recent, JobStore.Waiting waiting, int most, int running) {
        if (recent.isEmpty()) {
            return Optional.empty();
        }
        Duration mean = recent.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(recent.size());
        return Optional.of(mean.multipliedBy(Math.ceilDiv(jobs(waiting, most), Math.max(1, running))));
    }

    /// Jobs that have to move on.
    private static long jobs(JobStore.Waiting waiting, int most) {
        if (waiting.own() == 0) {
            return 1;
        }
        long tenth = (long) Math.max(1, waiting.own() / PARTS_OF_QUEUE) * waiting.sharers();
        return LongStream.range(Math.min(tenth, waiting.jobs()), waiting.jobs())
                .filter(moved ->
                        Shares.allows(waiting.own() - own(waiting, moved), (long) most - waiting.jobs() + moved, 1, 1))
                .findFirst()
                .orElse(waiting.jobs());
    }

    /// Of so many jobs that move on those of the caller: its turn comes last, and when others have none left.
    private static long own(JobStore.Waiting waiting, long moved) {
        return Math.max(moved / waiting.sharers(), moved - (waiting.jobs() - waiting.own()));
    }
}
