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

/// Lets any number of threads wait for changes of jobs, wherever they run. One statement a round asks the database
/// for all of them; without anybody waiting it is not asked. Thread-safe.
public final class JobEvents<S extends JobEvents.Standing> {
    private static final Logger log = LoggerFactory.getLogger(JobEvents.class);

    /// Longest time until a change on another replica is seen.
    private static final Duration ROUND = Duration.ofMillis(200);

    private final Function<Collection<UUID>, List<S>> standings;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<UUID, Integer> watchers = new HashMap<>();
    /// Of watched jobs only; empty for one that is not known.
    private final Map<UUID, Optional<S>> latest = new HashMap<>();
    private final AtomicBoolean checkIsDue = new AtomicBoolean();

    /// Absent while the service is stopped.
    private volatile @Nullable ScheduledExecutorService rounds;

    /// @param standings how jobs stand, of those that are known
    public JobEvents(Function<Collection<UUID>, List<S>> standings) {
        this.standings = standings;
    }

    /// What changes while a job waits and runs; equal while nothing does.
    public interface Standing {
        UUID id();

        JobStatus status();
    }

    /// Begins to look for changes, until [#close].
    public void open() {
        ScheduledExecutorService opened = Executors.newSingleThreadScheduledExecutor(
                Thread.ofVirtual().name("job-events").factory());
        ScheduledFuture<?> _ =
                opened.scheduleWithFixedDelay(this::round, ROUND.toMillis(), ROUND.toMillis(), TimeUnit.MILLISECONDS);
        rounds = opened;
    }

    /// Waits until a job stands otherwise than last seen.
    ///
    /// @param seen how it stood when the caller last looked; absent to be told at once
    /// @return how it stands now; empty if nothing changed in time, the job is not known, or the service stops
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

    /// Waits until a job is finished, the time is over, the job is not known any more, or the service stops.
    public void awaitFinish(UUID id, Duration longest) throws InterruptedException {
        long deadline = System.nanoTime() + longest.toNanos();
        S seen = null;
        do {
            seen = awaitChange(id, seen, Duration.ofNanos(deadline - System.nanoTime()))
                    .orElse(null);
        } while (seen != null && !seen.status().isFinished());
    }

    /// Asks the database soon, not only when the round is over: something has changed.
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

    /// Whether the service stops or has stopped: nobody is told anything.
    public boolean isClosed() {
        return rounds == null;
    }

    /// Wakes everybody who waits.
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
