package io.throughputoptimizer.job;

import io.throughputoptimizer.core.search.SearchMonitor;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Runs jobs on a bounded pool of platform threads behind a bounded queue, first come, first served.
/// Thread-safe.
public final class JobRunner implements AutoCloseable {
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    private final JobStore store;
    private final BiFunction<String, SearchMonitor, String> search;
    private final Clock clock;
    private final JobIds ids;
    private final ThreadPoolExecutor workers;
    private final Map<UUID, JobTask> unfinished = new ConcurrentHashMap<>();

    /// @param search from a request to its result, both as JSON; ends early with a
    ///     [java.util.concurrent.CancellationException] when the monitor says so
    public JobRunner(JobStore store, BiFunction<String, SearchMonitor, String> search, Capacity capacity, Clock clock) {
        this.store = store;
        this.search = search;
        this.clock = clock;
        this.ids = new JobIds(clock);
        this.workers = new ThreadPoolExecutor(
                capacity.workers(),
                capacity.workers(),
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(capacity.queued()),
                Thread.ofPlatform().name("optimization-", 1).factory());
    }

    /// @param workers jobs that run at the same time
    /// @param queued jobs that may wait besides
    public record Capacity(int workers, int queued) {
        public Capacity {
            if (workers <= 0 || queued <= 0) {
                throw new IllegalArgumentException(
                        "workers is " + workers + " and queued " + queued + ": both must be positive");
            }
        }
    }

    /// Takes a request, unless its idempotency key is known. Concurrent submissions under one key make one job.
    ///
    /// @param request the effective request as JSON
    public synchronized Submission submit(String request, @Nullable String idempotencyKey) {
        Optional<OptimizationJob> known = Optional.ofNullable(idempotencyKey).flatMap(store::findByKey);
        if (known.isPresent()) {
            return known.get().request().equals(request)
                    ? new Submission.Known(known.get())
                    : new Submission.KeyTaken();
        }
        OptimizationJob job =
                new OptimizationJob(ids.next(), clock.instant(), request, idempotencyKey, new JobState.Queued());
        JobTask task = new JobTask(job, store, search, clock, () -> unfinished.remove(job.id()));
        unfinished.put(job.id(), task);
        store.add(job);
        try {
            workers.execute(task);
            return new Submission.Accepted(job);
        } catch (RejectedExecutionException _) {
            unfinished.remove(job.id());
            store.remove(job.id());
            return new Submission.QueueFull();
        }
    }

    /// The job with its progress up to now.
    public JobResponse describe(OptimizationJob job) {
        JobTask task = unfinished.get(job.id());
        if (task != null) {
            return JobResponse.from(job, task.progress());
        }
        return JobResponse.from(store.find(job.id()).orElse(job), JobProgress.NONE);
    }

    /// Waits until a job is finished, or no longer known.
    public void awaitFinish(UUID id, Duration longest) throws InterruptedException {
        JobTask task = unfinished.get(id);
        if (task != null) {
            task.awaitFinish(longest);
        }
    }

    /// Ends a job that waits or runs. A running one ends soon after, or succeeds if it was nearly done.
    ///
    /// @return whether there was anything to end
    public boolean cancel(UUID id) {
        JobTask task = unfinished.get(id);
        if (task == null) {
            return false;
        }
        workers.remove(task);
        task.cancel();
        return true;
    }

    /// Cancels all jobs and waits for those that run.
    @Override
    public void close() {
        workers.shutdown();
        unfinished.keySet().forEach(this::cancel);
        try {
            workers.awaitTermination(LONGEST_STOP.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
