package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobStatus;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets threads wait for changes of jobs on any replica. One statement per round polls all watched jobs;
/// without waiting threads there is no polling. Thread-safe.
public final class JobEvents<S extends JobEvents.Standing> {
    private static final Logger log = LoggerFactory.getLogger(JobEvents.class);

    /// Polling interval, the longest delay of a change on another replica.
    private static final Duration ROUND = Duration.ofMillis(200);

    private final Function<Collection<UUID>, List<S>> standings;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<UUID, Integer> watchers = new HashMap<>();
    /// Latest states of watched jobs; empty for unknown jobs.
    private final Map<UUID, Optional<S>> latest = new HashMap<>();
    private final AtomicBoolean checkIsDue = new AtomicBoolean();

    /// Null while the service is stopped.
    private volatile @Nullable ScheduledExecutorService rounds;

    /// @param standings reads the states of known jobs
    public JobEvents(Function<Collection<UUID>, List<S>> standings) {
        this.standings = standings;
    }

    /// State of a job that changes while it is queued or runs; equal if nothing changed.
    public interface Standing {
        UUID id();

        JobStatus status();
    }

    /// Starts polling, until [#close].
    public void open() {
        ScheduledExecutorService opened = Executors.newSingleThreadScheduledExecutor(
                Thread.ofVirtual().name("job-events").factory());
        ScheduledFuture<?> _ =
                opened.scheduleWithFixedDelay(this::round, ROUND.toMillis(), ROUND.toMillis(), TimeUnit.MILLISECONDS);
        rounds = opened;
    }

    /// Waits until the state of a job differs from the last one seen.
    ///
    /// @param seen last state the caller saw; null to return immediately
    /// @return the current state; empty on timeout, for an unknown job, or if the service stops
    public Optional<S> awaitChange(UUID id, @Nullable S seen, Duration longest) throws InterruptedException {
        lock.lock();
        try {
            watchers.merge(id, 1, Integer::sum);
            check();
            return await(id, seen, longest.toNanos());
        } finally {
            if (watchers.merge(id, -1, Integer::sum) == 0) {
                watchers.remove(id);
                latest.remove(id);
            }
            lock.unlock();
        }
    }

    private Optional<S> await(UUID id, @Nullable S seen, long nanos) throws InterruptedException {
        for (long left = nanos; left > 0 && !isClosed(); left = changed.awaitNanos(left)) {
            Optional<S> now = latest.get(id);
            if (now != null && (now.isEmpty() || !now.get().equals(seen))) {
                return now;
            }
        }
        return Optional.empty();
    }

    /// Waits until a job is finished, the time is over, the job is deleted, or the service stops.
    public void awaitFinish(UUID id, Duration longest) throws InterruptedException {
        long deadline = System.nanoTime() + longest.toNanos();
        S seen = null;
        do {
            seen = awaitChange(id, seen, Duration.ofNanos(deadline - System.nanoTime()))
                    .orElse(null);
        } while (seen != null && !seen.status().isFinished());
    }

    /// Requests a poll before the end of the round, after a change.
    public void check() {
        ScheduledExecutorService open = rounds;
        if (open != null && checkIsDue.compareAndSet(false, true)) {
            try {
                open.execute(this::round);
            } catch (RejectedExecutionException _) {
                checkIsDue.set(false);
            }
        }
    }

    private void round() {
        checkIsDue.set(false);
        try {
            Set<UUID> watched = watched();
            if (!watched.isEmpty()) {
                publish(watched, standings.apply(watched));
            }
        } catch (RuntimeException | Error e) { // One that got out would end the rounds.
            log.warn("cannot ask the database how jobs stand; asking again", e);
        }
    }

    private Set<UUID> watched() {
        lock.lock();
        try {
            return Set.copyOf(watchers.keySet());
        } finally {
            lock.unlock();
        }
    }

    private void publish(Set<UUID> asked, List<S> found) {
        Map<UUID, S> byId = found.stream().collect(Collectors.toMap(Standing::id, Function.identity()));
        lock.lock();
        try {
            for (UUID id : asked) {
                if (watchers.containsKey(id)) {
                    latest.put(id, Optional.ofNullable(byId.get(id)));
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether the service is stopping or stopped, so that no changes are reported.
    public boolean isClosed() {
        return rounds == null;
    }

    /// Stops polling and wakes all waiting threads.
    public void close() {
        ScheduledExecutorService open = rounds;
        rounds = null;
        if (open != null) {
            open.shutdown();
        }
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
