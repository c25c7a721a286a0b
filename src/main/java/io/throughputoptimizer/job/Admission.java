package io.throughputoptimizer.job;

import io.throughputoptimizer.quota.CallerId;
import io.throughputoptimizer.quota.CallerQuota;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.support.TransactionTemplate;

/// Admits jobs of one kind to their queue: each idempotency key once, and within the limits of waiting jobs in
/// total and per caller. Thread-safe, also across replicas.
///
/// @param <R> request of a job
/// @param <J> job
public final class Admission<R, J extends Admission.Job> {
    private final Store<R, J> store;
    private final TransactionTemplate transaction;
    private final JobQueue queue;
    private final int most;

    /// @param most maximum number of waiting jobs over all replicas
    public Admission(Store<R, J> store, TransactionTemplate transaction, JobQueue queue, int most) {
        this.store = store;
        this.transaction = transaction;
        this.queue = queue;
        this.most = most;
    }

    /// An accepted job.
    public interface Job {
        Instant submittedAt();

        Origin origin();

        /// Returns the queue entries of its first tasks, which begin with its id.
        List<String> entries();
    }

    /// Jobs in the database.
    public interface Store<R, J> {
        /// Blocks other transactions that admit jobs until this one ends.
        void lockAdmission();

        /// Finds the job that its owner submitted with an idempotency key.
        Optional<J> findByKey(Origin origin);

        /// Returns whether a job is of an equal request.
        boolean isOf(J job, R request);

        /// Returns the numbers of waiting jobs, in total and of the caller.
        Waiting waiting(CallerId callerId);

        /// @throws DuplicateKeyException if the idempotency key is taken
        void add(J job, R request);

        /// Returns the estimated time until there is room for a rejected caller, if known.
        default Optional<Duration> expectedWait(Waiting waiting, int most) {
            return Optional.empty();
        }
    }

    /// @param jobs number of waiting jobs
    /// @param own number of them that count for the caller
    /// @param callers number of callers with waiting jobs
    public record Waiting(int jobs, int own, int callers) {}

    /// Submits a request, unless its idempotency key is known.
    ///
    /// @param job creates the job
    public Submission<J> submit(R request, Origin origin, Supplier<J> job) {
        return known(request, origin).orElseGet(() -> enqueue(request, job.get()));
    }

    private Submission<J> enqueue(R request, J job) {
        try {
            Submission<J> submission = Objects.requireNonNull(transaction.execute(_ -> admit(request, job)));
            queue.wake();
            return submission;
        } catch (DuplicateKeyException e) {
            return known(request, job.origin()).orElseThrow(() -> e);
        }
    }

    /// Returns the outcome of a request whose idempotency key is known, else empty.
    Optional<Submission<J>> known(R request, Origin origin) {
        return Optional.of(origin)
                .filter(known -> known.idempotencyKey() != null)
                .flatMap(store::findByKey)
                .map(job -> store.isOf(job, request) ? new Submission.Known<>(job) : new Submission.KeyTaken<>());
    }

    /// Admits one job at a time over all replicas: the lock is held until the transaction ends, so the count
    /// includes every job admitted before.
    private Submission<J> admit(R request, J job) {
        store.lockAdmission();
        Optional<Submission<J>> known = known(request, job.origin());
        if (known.isPresent()) {
            return known.get();
        }
        Waiting waiting = store.waiting(job.origin().callerId());
        if (!CallerQuota.allows(waiting.own, (long) most - waiting.jobs)) {
            return new Submission.QueueFull<>(
                    waiting.own,
                    waiting.jobs,
                    most,
                    store.expectedWait(waiting, most).orElse(null));
        }
        add(request, job);
        return new Submission.Accepted<>(job);
    }

    private void add(R request, J job) {
        store.add(job, request);
        queue.add(job.entries(), job.submittedAt());
    }

    /// Executes the database writes of a submission and rolls them back. Throws if a submission would fail.
    void rehearse(R request, J job) {
        transaction.executeWithoutResult(rehearsal -> {
            rehearsal.setRollbackOnly();
            store.lockAdmission();
            store.waiting(job.origin().callerId());
            add(request, job);
        });
    }

    /// Estimate of the time until the queue has room for a rejected caller. It assumes that a tenth of the
    /// caller's queued jobs, or more if needed, must leave the queue, that callers take turns, and that each
    /// job takes the mean time of recent jobs. A caller without queued jobs needs one free place.
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
        static Optional<Duration> of(List<Duration> recent, Waiting waiting, int most, int running) {
            if (recent.isEmpty()) {
                return Optional.empty();
            }
            Duration mean =
                    recent.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(recent.size());
            return Optional.of(mean.multipliedBy(Math.ceilDiv(jobs(waiting, most), Math.max(1, running))));
        }

        /// Returns the number of jobs that must leave the queue.
        private static long jobs(Waiting waiting, int most) {
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
        private static long own(Waiting waiting, long moved) {
            return Math.max(moved / waiting.callers(), moved - (waiting.jobs() - waiting.own()));
        }
    }
}
