package io.throughputoptimizer.job;

import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.job.ProgressMonitor.StopReason;
import io.throughputoptimizer.quota.CallerId;
import io.throughputoptimizer.quota.FairThreadPool;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Searches that run while their callers wait, a few at a time. They are stored only after they have ended;
/// unfinished ones go to the queue, unless nothing is to be stored. Thread-safe.
final class SynchronousSearches {
    /// Maximum number of waiting searches per thread, over all callers. An in-memory queue costs much less than
    /// the one in the database.
    private static final int WAITING = 64;

    private final JobSearches searches;
    private final Duration longest;
    private final FairThreadPool threads;
    private final Set<RunningTask> running = ConcurrentHashMap.newKeySet();

    /// @param most maximum number of concurrent searches
    /// @param longest maximum duration of a search that can be queued, including the wait for a thread; the
    ///     queue then takes it over, where it is visible and can be canceled
    SynchronousSearches(JobSearches searches, int most, Duration longest) {
        this.searches = searches;
        this.longest = longest;
        this.threads = new FairThreadPool("prompt", most, most * WAITING);
    }

    /// Runs a search and returns its final state; empty if too many searches of the caller wait for a thread,
    /// or if it did not end in time.
    ///
    /// @param id id of the future job
    /// @param callerId the waiting caller
    /// @param wait maximum waiting time of the caller
    Optional<JobState> run(UUID id, JobRequest request, CallerId callerId, Duration wait) throws InterruptedException {
        Duration time = wait.compareTo(longest) < 0 ? wait : longest;
        return run(searches.beginAwaited(id), request, callerId, time) instanceof SynchronousOutcome.Ended ended
                ? Optional.of(ended.state())
                : Optional.empty();
    }

    /// Runs a search that cannot be queued, for the whole waiting time of its caller.
    ///
    /// @param most maximum processor time over all threads of the search
    SynchronousOutcome runWhole(JobRequest request, CallerId callerId, Duration wait, Duration most)
            throws InterruptedException {
        RunningTask job = searches.beginAwaited(UUID.randomUUID());
        job.monitor().limit(most);
        return run(job, request, callerId, wait);
    }

    private SynchronousOutcome run(RunningTask job, JobRequest request, CallerId callerId, Duration wait)
            throws InterruptedException {
        AtomicBoolean begun = new AtomicBoolean();
        AtomicReference<@Nullable ResultResponse> found = new AtomicReference<>();
        running.add(job);
        try {
            Optional<JobState> end = search(
                    callerId,
                    () -> {
                        begun.set(true);
                        return searches.runAwaited(job, request, found::set);
                    },
                    wait);
            if (end.isPresent()) {
                return new SynchronousOutcome.Ended(job.startedAt(), end.get(), found.get());
            }
            return job.monitor().isStopped(StopReason.TOO_LARGE) ? new SynchronousOutcome.TooLarge() : busy(callerId);
        } catch (RejectedExecutionException _) {
            return busy(callerId);
        } catch (TimeoutException _) {
            return begun.get() ? new SynchronousOutcome.OutOfTime() : busy(callerId);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            job.monitor().stop(StopReason.HANDED_BACK);
            running.remove(job);
        }
    }

    private SynchronousOutcome busy(CallerId callerId) {
        return new SynchronousOutcome.Busy(threads.expectedWait(callerId, longest));
    }

    /// Runs a search on a thread of the pool. A search given up while it waits frees its place.
    private Optional<JobState> search(CallerId callerId, Callable<Optional<JobState>> search, Duration wait)
            throws InterruptedException, ExecutionException, TimeoutException {
        Future<Optional<JobState>> end = threads.submit(callerId, search);
        try {
            return end.get(wait.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            end.cancel(false);
        }
    }

    int count() {
        return running.size();
    }

    /// Hands running searches back to the queue.
    void stopAll() {
        running.forEach(job -> job.monitor().stop(StopReason.HANDED_BACK));
    }
}
