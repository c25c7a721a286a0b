package io.throughputoptimizer.job;

import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.CompletionHandler.OnCompleteRemove;
import com.github.kagkarlsson.scheduler.task.Execution;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.ExecutionOperations;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import io.throughputoptimizer.job.ProgressMonitor.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes jobs from the queue and runs them. Thread-safe.
final class JobWorker implements JobQueue.Worker {
    private static final Logger log = LoggerFactory.getLogger(JobWorker.class);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(2);

    private final JobTransitions transitions;
    private final RunningJobs running;
    private final JobEvents<JobStanding> events;
    private final JobSearches searches;
    private final int attempts;

    /// @param attempts maximum starts of a job that crashes the service
    JobWorker(
            JobTransitions transitions,
            RunningJobs running,
            JobEvents<JobStanding> events,
            JobSearches searches,
            int attempts) {
        this.transitions = transitions;
        this.running = running;
        this.events = events;
        this.searches = searches;
        this.attempts = attempts;
    }

    /// Runs the job of a queue entry and returns the completion of the entry.
    @Override
    public CompletionHandler<Void> run(TaskInstance<Void> entry, ExecutionContext context) {
        UUID id = UUID.fromString(entry.getId());
        Instant startedAt = searches.now();
        Optional<JobTransitions.Started> started = started(id, startedAt);
        if (started.isEmpty()) {
            return new OnCompleteRemove<>();
        }
        RunningJob job = searches.begin(id, started.get().attempt(), startedAt);
        if (started.get().cancelRequested()) {
            job.monitor().stop(StopReason.CANCELLED);
        }
        Optional<JobState> end = searched(job, started.get());
        if (end.isPresent()) {
            // A job considered lost meanwhile is queued again and needs its entry.
            return finish(job, end.get())
                    ? new OnCompleteRemove<>()
                    : (_, _) -> log.warn("job {} was taken for lost when it ended", id);
        }
        return job.monitor().stopReason().equals(Optional.of(StopReason.HANDED_BACK))
                ? handedBack(job, context.getExecution())
                : (_, _) -> log.warn("job {} was taken over by another replica", id);
    }

    /// Starts a job. An unreadable request fails it, since another start could not read it either.
    private Optional<JobTransitions.Started> started(UUID id, Instant at) {
        try {
            return transitions.start(id, at);
        } catch (StoredTextException e) {
            log.error("the request of job {} cannot be read", id, e);
            transitions.fail(id, JobProblems.unreadable(e), at);
            events.check();
            return Optional.empty();
        }
    }

    /// Finishes a job. A result that is too large to store fails it.
    ///
    /// @return true if the job has ended
    private boolean finish(RunningJob job, JobState end) {
        boolean ended;
        try {
            ended = transitions.finish(job.id(), job.attempt(), end);
        } catch (OutOfMemoryError e) {
            log.error("job {} ran out of memory when its end was written", job.id(), e);
            ended = transitions.finish(job.id(), job.attempt(), searches.failed(job, JobProblems.outOfMemory()));
        }
        events.check();
        return ended;
    }

    /// Reschedules the entry at its old time, which keeps its place in the queue.
    private CompletionHandler<Void> handedBack(RunningJob job, Execution execution) {
        transitions.requeue(job.id(), job.attempt());
        return (completed, entries) -> entries.reschedule(completed, execution.executionTime);
    }

    private Optional<JobState> searched(RunningJob job, JobTransitions.Started started) {
        try {
            return running.add(job)
                    ? searches.run(
                            job, new JobRequest(started.request(), null, started.asked(), started.includesDefaults()))
                    : Optional.empty();
        } finally {
            running.remove(job);
        }
    }

    /// Handles an entry whose heartbeats stopped. The first time it keeps its place. After a second time the
    /// job may be what crashes the service, so it goes to the end of the queue.
    @Override
    public void recover(ExecutionComplete completed, ExecutionOperations<Void> entries) {
        Execution execution = completed.getExecution();
        UUID id = UUID.fromString(execution.taskInstance.getId());
        log.warn("job {} was interrupted: the replica that ran it is gone", id);
        boolean suspect = execution.consecutiveFailures > 0;
        tryAgain(id, completed, entries, suspect ? searches.now() : execution.executionTime);
    }

    /// Handles a database failure while a job was started or finished.
    @Override
    public void retry(ExecutionComplete completed, ExecutionOperations<Void> entries) {
        Execution execution = completed.getExecution();
        tryAgain(
                UUID.fromString(execution.taskInstance.getId()),
                completed,
                entries,
                searches.now().plus(PAUSE_AFTER_FAILURE));
    }

    private void tryAgain(UUID id, ExecutionComplete completed, ExecutionOperations<Void> entries, Instant at) {
        int failures = completed.getExecution().consecutiveFailures + 1;
        if (failures < attempts) {
            transitions.requeue(id);
            entries.reschedule(completed, at);
        } else {
            transitions.fail(id, JobProblems.interrupted(failures), searches.now());
            entries.remove();
        }
        events.check();
    }
}
