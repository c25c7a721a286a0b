package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.quota.CallerQuota;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.support.TransactionTemplate;

/// Admits requests as jobs: each idempotency key once, and within the limits of queued jobs in total and per
/// caller. Thread-safe, also across replicas.
final class JobAdmission {
    private static final JobRequest REHEARSED = JobRequest.stored("{}");

    private final JobStore store;
    private final TransactionTemplate transaction;
    private final JobQueue queue;
    private final SynchronousSearches prompt;
    private final int mostWaiting;
    private final JobMeters meters;
    private final Clock clock;
    private final JobIds ids;

    JobAdmission(
            JobStore store,
            TransactionTemplate transaction,
            JobQueue queue,
            SynchronousSearches prompt,
            int mostWaiting,
            JobMeters meters,
            Clock clock) {
        this.store = store;
        this.transaction = transaction;
        this.queue = queue;
        this.prompt = prompt;
        this.mostWaiting = mostWaiting;
        this.meters = meters;
        this.clock = clock;
        this.ids = new JobIds(clock);
    }

    /// Submits a request, as [JobRunner#submit].
    Submission submit(JobRequest request, Origin origin) {
        return known(request, origin).orElseGet(() -> enqueue(request, origin));
    }

    private Submission enqueue(JobRequest request, Origin origin) {
        OptimizationJob job = new OptimizationJob(ids.next(), now(), request, origin, new JobState.Queued());
        try {
            Submission submission = Objects.requireNonNull(transaction.execute(_ -> admit(request, job)));
            queue.wake();
            return submission;
        } catch (DuplicateKeyException e) {
            return known(request, origin).orElseThrow(() -> e);
        }
    }

    /// Submits and runs a request, as [JobRunner#submitAndRun].
    Submission submitAndRun(JobRequest request, Origin origin, Duration wait) throws InterruptedException {
        Optional<Submission> known = known(request, origin);
        if (known.isPresent()) {
            return known.get();
        }
        UUID id = ids.next();
        Instant submittedAt = now();
        Optional<JobState> end = prompt.run(id, request, origin.callerId(), wait);
        return end.isEmpty()
                ? enqueue(request, origin)
                : store(request, new OptimizationJob(id, submittedAt, request, origin, end.get()));
    }

    private Submission store(JobRequest request, OptimizationJob finished) {
        try {
            store.add(finished);
            meters.finished(finished.state());
            return new Submission.Accepted(finished);
        } catch (DuplicateKeyException e) {
            return known(request, finished.origin()).orElseThrow(() -> e);
        }
    }

    private Optional<Submission> known(JobRequest request, Origin origin) {
        return Optional.of(origin)
                .filter(known -> known.idempotencyKey() != null)
                .flatMap(store::findByKey)
                .map(job -> job.isOf(request) ? new Submission.Known(job) : new Submission.KeyTaken());
    }

    /// Admits one job at a time over all replicas: the lock is held until the transaction ends, so the count
    /// includes every job admitted before.
    private Submission admit(JobRequest request, OptimizationJob job) {
        store.lockAdmission();
        Optional<Submission> known = known(request, job.origin());
        if (known.isPresent()) {
            return known.get();
        }
        JobStore.Waiting waiting = store.waiting(job.origin().callerId());
        if (!CallerQuota.allows(waiting.own(), (long) mostWaiting - waiting.jobs())) {
            return new Submission.QueueFull(waiting.own(), waiting.jobs(), mostWaiting, expectedWait(waiting));
        }
        store.add(job);
        queue.add(job.id(), job.submittedAt());
        return new Submission.Accepted(job);
    }

    /// Rehearses a submission, as [JobRunner#rehearse].
    void rehearse() {
        OptimizationJob job = new OptimizationJob(ids.next(), now(), REHEARSED, Origin.UNKNOWN, new JobState.Queued());
        transaction.executeWithoutResult(rehearsal -> {
            rehearsal.setRollbackOnly();
            store.lockAdmission();
            store.waiting(job.origin().callerId());
            store.add(job);
            queue.add(job.id(), job.submittedAt());
        });
    }

    private @Nullable Duration expectedWait(JobStore.Waiting waiting) {
        return ExpectedWait.of(
                        store.recentTimes(ExpectedWait.SAMPLE), waiting, mostWaiting, store.count(JobStatus.RUNNING))
                .orElse(null);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /// Estimate of the time until the queue has room for a rejected caller. It assumes that a tenth of the caller's
    /// queued jobs, or more if needed, must leave the queue, that callers take turns, and that each job takes the
    /// mean time of recent jobs. A caller without queued jobs needs one free place.
    static final class ExpectedWait {
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
            Duration mean =
                    recent.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(recent.size());
            return Optional.of(mean.multipliedBy(Math.ceilDiv(jobs(waiting, most), Math.max(1, running))));
        }

        /// Returns the number of jobs that must leave the queue.
        private static long jobs(JobStore.Waiting waiting, int most) {
            if (waiting.own() == 0) {
                return 1;
            }
            long tenth = (long) Math.max(1, waiting.own() / PARTS_OF_QUEUE) * waiting.callers();
            return LongStream.range(Math.min(tenth, waiting.jobs()), waiting.jobs())
                    .filter(moved -> CallerQuota.allows(
                            waiting.own() - own(waiting, moved), (long) most - waiting.jobs() + moved))
                    .findFirst()
                    .orElse(waiting.jobs());
        }

        /// Returns the caller's share of the jobs that leave: its turn is last, unless others have none left.
        private static long own(JobStore.Waiting waiting, long moved) {
            return Math.max(moved / waiting.callers(), moved - (waiting.jobs() - waiting.own()));
        }
    }
}
