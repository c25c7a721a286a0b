package io.throughputoptimizer.job;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.problem.Problem;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Metrics of jobs. Queued jobs are counted over all replicas, running and finished ones on this replica.
/// Thread-safe.
final class JobMeters {
    private static final String FINISHED = "optimizer.jobs.finished";
    private static final String FAILED = "optimizer.jobs.failed";
    private static final String INTERNAL = "internal-error";

    private final MeterRegistry meters;

    JobMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    /// Registers gauges of queued and running jobs, read on demand. Unknown values are NaN.
    void watch(JobStore store, IntSupplier running, Clock clock) {
        QueueSnapshot queue = new QueueSnapshot(store);
        Gauge.builder(
                        "optimizer.jobs.waiting",
                        queue,
                        glance -> glance.look()
                                .map(backlog -> (double) backlog.jobs())
                                .orElse(Double.NaN))
                .description("Optimizations that wait, on all replicas together.")
                .strongReference(true)
                .register(meters);
        Gauge.builder(
                        "optimizer.jobs.oldest.waiting",
                        queue,
                        glance -> glance.look()
                                .map(backlog -> seconds(backlog, clock))
                                .orElse(Double.NaN))
                .description("Age of the oldest optimization that waits, on all replicas together; 0 if none does.")
                .baseUnit("seconds")
                .strongReference(true)
                .register(meters);
        Gauge.builder("optimizer.jobs.running", running, IntSupplier::getAsInt)
                .description("Optimizations that run on this replica.")
                .strongReference(true)
                .register(meters);
        // Counters exist before the first job, so that a rate over them begins at 0.
        for (JobStatus status : JobStatus.values()) {
            if (status.isFinished()) {
                finished(status, 0);
            }
        }
    }

    private static double seconds(JobStore.Backlog backlog, Clock clock) {
        return backlog.oldest() == null
                ? 0
                : Math.max(
                        0, Duration.between(backlog.oldest(), clock.instant()).toMillis() / 1e3);
    }

    /// Counts a job finished by this replica.
    void finished(JobState end) {
        finished(end.status(), 1);
        Problem problem = end.problem();
        if (problem != null) {
            meters.counter(FAILED, "problem", kind(problem)).increment();
        }
    }

    private void finished(JobStatus status, int jobs) {
        meters.counter(FINISHED, "status", WireFormat.name(status)).increment(jobs);
    }

    private static String kind(Problem problem) {
        @Nullable String kind = problem.kind();
        return kind == null ? INTERNAL : kind;
    }

    /// A cached snapshot of the queue: concurrent readers share one statement, with a short timeout if the database
    /// is down. Thread-safe.
    static final class QueueSnapshot {
        private static final Duration FRESH = Duration.ofMillis(200);
        private static final Duration PATIENCE = Duration.ofSeconds(1);

        private final JobStore store;
        private @Nullable CompletableFuture<JobStore.Backlog> query;
        private Optional<JobStore.Backlog> seen = Optional.empty();
        private long seenNanos = System.nanoTime() - FRESH.toNanos();

        QueueSnapshot(JobStore store) {
            this.store = store;
        }

        /// Returns the snapshot, or empty if the database does not respond.
        synchronized Optional<JobStore.Backlog> look() {
            if (System.nanoTime() - seenNanos >= FRESH.toNanos()) {
                seen = ask();
                seenNanos = System.nanoTime();
            }
            return seen;
        }

        /// Queries the database. A pending query is awaited again instead of starting a second one.
        private Optional<JobStore.Backlog> ask() {
            CompletableFuture<JobStore.Backlog> asked = query;
            if (asked == null) {
                asked = CompletableFuture.supplyAsync(
                        store::backlog,
                        task -> Thread.ofVirtual().name("queue-glance").start(task));
                query = asked;
            }
            try {
                JobStore.Backlog backlog = asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                query = null;
                return Optional.of(backlog);
            } catch (ExecutionException _) {
                query = null;
            } catch (TimeoutException _) {
                // Ignored: retried at the next poll.
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            return Optional.empty();
        }
    }
}
