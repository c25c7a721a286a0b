package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.job.JobQueue.Completion;
import io.throughputoptimizer.job.ProgressMonitor.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the searches of queued jobs. Writes their progress to the database, and stops searches that were canceled
/// on any replica or timed out. Thread-safe.
final class JobWorker implements JobQueue.Worker {
    private static final Logger log = LoggerFactory.getLogger(JobWorker.class);

    private final JobTransitions transitions;
    private final RunningTasks running;
    private final JobSearches searches;
    private final Duration timeout;
    private final Map<String, JobProgress> saved = new ConcurrentHashMap<>();

    /// @param timeout maximum duration of a search
    JobWorker(JobTransitions transitions, RunningTasks running, JobSearches searches, Duration timeout) {
        this.transitions = transitions;
        this.running = running;
        this.searches = searches;
        this.timeout = timeout;
    }

    @Override
    public Completion run(String entry, JobQueue queue) {
        UUID id = UUID.fromString(entry);
        Instant startedAt = searches.now();
        Optional<JobTransitions.Started> started = started(id, startedAt);
        if (started.isEmpty()) {
            return Completion.ENDED;
        }
        RunningTask job = searches.begin(id, started.get().attempt(), startedAt);
        if (started.get().cancelRequested()) {
            job.monitor().stop(StopReason.CANCELLED);
        }
        Optional<JobState> end = searched(job, started.get());
        if (end.isPresent()) {
            // A job considered lost meanwhile is queued again and needs its entry.
            return finish(job, end.get()) ? Completion.ENDED : Completion.LOST;
        }
        if (job.monitor().isStopped(StopReason.HANDED_BACK)) {
            transitions.requeue(id, job.attempt());
            return Completion.HANDED_BACK;
        }
        return Completion.LOST;
    }

    /// Starts a job. An unreadable request fails it, since another start could not read it either.
    private Optional<JobTransitions.Started> started(UUID id, Instant at) {
        try {
            return transitions.start(id, at);
        } catch (StoredTextException e) {
            log.error("the request of job {} cannot be read", id, e);
            transitions.fail(id, JobProblems.unreadable(e), at);
            return Optional.empty();
        }
    }

    /// Finishes a job. A result that is too large to store fails it.
    ///
    /// @return true if the job has ended
    private boolean finish(RunningTask job, JobState end) {
        try {
            return transitions.finish(job.id(), job.attempt(), end);
        } catch (OutOfMemoryError e) {
            log.error("job {} ran out of memory when its end was written", job.id(), e);
            return transitions.finish(job.id(), job.attempt(), searches.failed(job, JobProblems.outOfMemory()));
        }
    }

    private Optional<JobState> searched(RunningTask job, JobTransitions.Started started) {
        try {
            return running.add(job)
                    ? searches.run(
                            job,
                            new JobRequest(
                                    started.request(), null, started.asked(), null, null, started.includesDefaults()))
                    : Optional.empty();
        } finally {
            running.remove(job);
            saved.remove(job.entry());
        }
    }

    @Override
    public void requeue(String entry) {
        transitions.requeue(UUID.fromString(entry));
    }

    @Override
    public void giveUp(String entry, Problem problem) {
        transitions.fail(UUID.fromString(entry), problem, searches.now());
    }

    @Override
    public void synchronize(Set<RunningTask> jobs) {
        Map<UUID, JobTransitions.Running> stored =
                transitions.running(jobs.stream().map(RunningTask::id).toList()).stream()
                        .collect(Collectors.toMap(JobTransitions.Running::id, Function.identity()));
        jobs.forEach(job -> synchronize(job, stored.get(job.id())));
    }

    private void synchronize(RunningTask job, JobTransitions.@Nullable Running stored) {
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

    private void save(RunningTask job) {
        JobProgress progress = job.monitor().progress();
        if (!progress.equals(saved.put(job.entry(), progress))) {
            transitions.saveProgress(job.id(), job.attempt(), progress);
        }
    }
}
