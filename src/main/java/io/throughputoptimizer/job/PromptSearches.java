package io.throughputoptimizer.job;

import io.throughputoptimizer.job.ProgressMonitor.StopReason;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Small searches that run while their callers wait, a few at a time, and that nobody knows of before they have ended:
/// what is not ended here is left to the queue. Thread-safe.
final class PromptSearches {
    /// Searches that wait for each thread at most: a queue in memory costs much less than the one in the database.
    private static final int WAITING = 64;

    private static final long IDLE_SECONDS = 60;

    private final JobSearches searches;
    private final Duration longest;
    private final ExecutorService threads;
    private final Set<RunningJob> running = ConcurrentHashMap.newKeySet();

    /// @param most searches at the same time
    /// @param longest time of a search, waiting for a thread included; after it the queue has the search,
    ///     where it can be seen and cancelled
    PromptSearches(JobSearches searches, int most, Duration longest) {
        this.searches = searches;
        this.longest = longest;
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                most,
                most,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(most * WAITING),
                Thread.ofPlatform().name("prompt-", 1).daemon().factory());
        pool.allowCoreThreadTimeOut(true);
        this.threads = pool;
    }

    /// How the search ended; empty if too many wait for a thread, or if it did not end in time.
    ///
    /// @param id of the job to be
    /// @param wait how long the caller would wait
    Optional<JobState> run(UUID id, JobRequest request, Duration wait) throws InterruptedException {
        RunningJob job = searches.begin(id, 1, searches.now());
        running.add(job);
        try {
            Future<Optional<JobState>> end = threads.submit(() -> searches.run(job, request));
            return end.get(Math.min(wait.toMillis(), longest.toMillis()), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException | TimeoutException _) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            job.monitor().stop(StopReason.HANDED_BACK);
            running.remove(job);
        }
    }

    int count() {
        return running.size();
    }

    /// Leaves to the queue what runs.
    void stopAll() {
        running.forEach(job -> job.monitor().stop(StopReason.HANDED_BACK));
    }
}
