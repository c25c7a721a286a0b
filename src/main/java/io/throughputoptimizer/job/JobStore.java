package io.throughputoptimizer.job;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Jobs in memory, by id. Keeps a bounded number of finished jobs and forgets the oldest beyond it; jobs that
/// are not finished are never forgotten. Thread-safe.
public final class JobStore {
    private final int retained;
    private final NavigableMap<UUID, OptimizationJob> jobs = new TreeMap<>();
    private final Map<String, UUID> idsByKey = new HashMap<>();

    /// @param retained finished jobs to keep
    public JobStore(int retained) {
        this.retained = retained;
    }

    public synchronized Optional<OptimizationJob> find(UUID id) {
        return Optional.ofNullable(jobs.get(id));
    }

    /// The job that was submitted under an idempotency key.
    synchronized Optional<OptimizationJob> findByKey(String idempotencyKey) {
        return Optional.ofNullable(idsByKey.get(idempotencyKey)).map(jobs::get);
    }

    /// Jobs of the given statuses, newest first.
    ///
    /// @param statuses those to list; empty for all
    /// @param before id that the page begins below; absent for the first page
    public synchronized JobPage list(Set<JobStatus> statuses, @Nullable UUID before, int limit) {
        NavigableMap<UUID, OptimizationJob> older = before == null ? jobs : jobs.headMap(before, false);
        List<OptimizationJob> found = older.descendingMap().values().stream()
                .filter(job ->
                        statuses.isEmpty() || statuses.contains(job.state().status()))
                .limit(limit + 1L)
                .toList();
        return found.size() > limit
                ? new JobPage(found.subList(0, limit), found.get(limit - 1).id())
                : new JobPage(found, null);
    }

    synchronized void add(OptimizationJob job) {
        jobs.put(job.id(), job);
        if (job.idempotencyKey() != null) {
            idsByKey.put(job.idempotencyKey(), job.id());
        }
    }

    /// Moves a job to another state.
    ///
    /// @param step gives the next state, or empty to leave the job as it is
    /// @return the job as it is afterwards; empty if it is unknown or was left as it is
    synchronized Optional<OptimizationJob> advance(UUID id, Function<JobState, Optional<JobState>> step) {
        OptimizationJob job = jobs.get(id);
        if (job == null) {
            return Optional.empty();
        }
        Optional<OptimizationJob> advanced = step.apply(job.state()).map(job::withState);
        advanced.ifPresent(next -> jobs.put(id, next));
        forgetBeyondRetention();
        return advanced;
    }

    /// Forgets a job, if it is known.
    public synchronized void remove(UUID id) {
        OptimizationJob job = jobs.remove(id);
        if (job != null && job.idempotencyKey() != null) {
            idsByKey.remove(job.idempotencyKey());
        }
    }

    private void forgetBeyondRetention() {
        List<UUID> finished = jobs.values().stream()
                .filter(job -> job.state().isFinished())
                .map(OptimizationJob::id)
                .toList();
        finished.stream().limit(Math.max(0, finished.size() - retained)).forEach(this::remove);
    }
}
