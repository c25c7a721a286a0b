package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.job.ProgressMonitor.StopReason;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The searches that run in this process. Writes their progress to the database, and stops searches that were
/// canceled on any replica or timed out. Thread-safe.
final class RunningJobs implements QueueMaintenance.Here {
    private final JobTransitions transitions;
    private final Duration timeout;
    private final Map<UUID, RunningJob> jobs = new ConcurrentHashMap<>();
    private final Map<UUID, JobProgress> saved = new ConcurrentHashMap<>();
    private volatile boolean closed;

    RunningJobs(JobTransitions transitions, Duration timeout) {
        this.transitions = transitions;
        this.timeout = timeout;
    }

    /// Adds a search. It replaces an earlier one of the same job that this process lost and took again.
    ///
    /// @return true if it can run; otherwise it is told to return to the queue
    boolean add(RunningJob job) {
        Optional.ofNullable(jobs.put(job.id(), job))
                .ifPresent(earlier -> earlier.monitor().stop(StopReason.LOST));
        boolean late = closed;
        if (late) {
            job.monitor().stop(StopReason.HANDED_BACK);
        }
        return !late;
    }

    void remove(RunningJob job) {
        jobs.remove(job.id(), job);
        saved.remove(job.id());
    }

    int count() {
        return jobs.size();
    }

    /// Returns the progress of a search that runs here, or empty.
    Optional<JobProgress> progress(UUID id) {
        return Optional.ofNullable(jobs.get(id)).map(job -> job.monitor().progress());
    }

    @Override
    public boolean isIdle() {
        return jobs.isEmpty();
    }

    /// Stops a search if it runs here.
    void stop(UUID id, StopReason reason) {
        Optional.ofNullable(jobs.get(id)).ifPresent(job -> job.monitor().stop(reason));
    }

    @Override
    public void handBack() {
        jobs.values().forEach(job -> job.monitor().stop(StopReason.HANDED_BACK));
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public void open() {
        closed = false;
    }

    @Override
    public void synchronize() {
        Set<RunningJob> looked = Set.copyOf(jobs.values());
        if (looked.isEmpty()) {
            return;
        }
        Map<UUID, JobTransitions.Running> stored =
                transitions.running(looked.stream().map(RunningJob::id).toList()).stream()
                        .collect(Collectors.toMap(JobTransitions.Running::id, Function.identity()));
        looked.forEach(job -> synchronize(job, stored.get(job.id())));
    }

    private void synchronize(RunningJob job, JobTransitions.@Nullable Running stored) {
        if (stored == null || stored.attempt() != job.attempt()) {
            job.monitor().stop(StopReason.LOST);
        } else if (stored.cancelRequested()) {
            job.monitor().stop(StopReason.CANCELLED);
        } else if (System.nanoTime() - job.startedNanos() > timeout.toNanos()) {
            job.monitor().stop(StopReason.TIMED_OUT);
        } else {
            save(job);
        }
    }

    private void save(RunningJob job) {
        JobProgress progress = job.monitor().progress();
        if (!progress.equals(saved.put(job.id(), progress))) {
            transitions.saveProgress(job.id(), job.attempt(), progress);
        }
    }
}
