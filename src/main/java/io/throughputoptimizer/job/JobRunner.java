package io.throughputoptimizer.job;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.job.ProgressMonitor.StopReason;
import io.throughputoptimizer.quota.CallerId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Accepts jobs into the database queue shared by all replicas, and cancels them. Thread-safe.
public final class JobRunner implements SmartLifecycle {
    private static final JobRequest REHEARSED = JobRequest.stored("{}");

    private final JobQueue.Persistence<JobStore, OptimizationJob.Standing> persistence;
    private final JobSettings settings;
    private final Clock clock;
    private final JobIds ids;
    private final JobMeters meters;
    private final JobTransitions transitions;
    private final RunningTasks running = new RunningTasks();
    private final SynchronousSearches prompt;
    private final JobQueue queue;
    private final Admission<JobRequest, OptimizationJob> admission;

    /// Metrics and traces.
    public record Monitoring(MeterRegistry meters, ObservationRegistry observations) {}

    /// @param search computes the result of a request; throws [java.util.concurrent.CancellationException] when
    ///     the monitor is canceled
    public JobRunner(
            JobQueue.Persistence<JobStore, OptimizationJob.Standing> persistence,
            BiFunction<JobRequest, SearchMonitor, WrittenResult> search,
            JobSettings settings,
            Monitoring monitoring,
            Clock clock) {
        this.persistence = persistence;
        this.settings = settings;
        this.clock = clock;
        this.ids = new JobIds(clock);
        this.meters = new JobMeters(monitoring.meters());
        this.transitions = new JobTransitions(JdbcClient.create(persistence.database()), meters);
        Duration timeout = settings.endurance().timeout();
        JobSearches searches = new JobSearches(
                search, timeout, new SearchTelemetry(monitoring.meters(), monitoring.observations()), clock);
        this.prompt = new SynchronousSearches(
                searches, settings.capacity().workers(), settings.endurance().prompt());
        this.queue = new JobQueue(
                persistence,
                new JobWorker(transitions, running, searches, timeout),
                running,
                new JobQueue.Kind("optimization", "scheduled_tasks", "optimization_job"),
                settings,
                new JobQueue.Tools(clock, monitoring.meters()));
        this.admission = new Admission<>(
                persistence.store(),
                persistence.transaction(),
                queue,
                settings.capacity().queued());
        meters.watch(persistence.store(), () -> running.count() + prompt.count(), clock);
    }

    /// Accepts a request, unless its idempotency key is known. Concurrent submissions with one key create one
    /// job, on any replicas.
    ///
    /// @param request the effective request as JSON
    /// @param origin caller and idempotency key
    public Submission<OptimizationJob> submit(JobRequest request, Origin origin) {
        return admission.submit(request, origin, () -> queued(request, origin));
    }

    private OptimizationJob queued(JobRequest request, Origin origin) {
        return new OptimizationJob(ids.next(), JobColumns.now(clock), request, origin, new JobState.Queued());
    }

    /// Runs a search immediately while the caller waits, and stores its job when it has ended, before the
    /// caller receives the response. The job is queued instead if too many searches wait or it takes too long.
    ///
    /// @param wait maximum waiting time of the caller
    public Submission<OptimizationJob> submitAndRun(JobRequest request, Origin origin, Duration wait)
            throws InterruptedException {
        Optional<Submission<OptimizationJob>> known = admission.known(request, origin);
        if (known.isPresent()) {
            return known.get();
        }
        UUID id = ids.next();
        Instant submittedAt = JobColumns.now(clock);
        Optional<JobState> end = isRunning() ? prompt.run(id, request, origin.callerId(), wait) : Optional.empty();
        return end.isEmpty()
                ? submit(request, origin)
                : store(request, new OptimizationJob(id, submittedAt, request, origin, end.get()));
    }

    private Submission<OptimizationJob> store(JobRequest request, OptimizationJob finished) {
        try {
            persistence.store().add(finished);
            meters.finished(finished.state());
            return new Submission.Accepted<>(finished);
        } catch (DuplicateKeyException e) {
            return admission.known(request, finished.origin()).orElseThrow(() -> e);
        }
    }

    /// Runs a search while the caller waits, without storing or queueing a job.
    ///
    /// @param callerId the waiting caller
    /// @param wait maximum waiting time, including the wait for a thread
    /// @param most maximum processor time over all threads of the search
    public SynchronousOutcome searchOnly(JobRequest request, CallerId callerId, Duration wait, Duration most)
            throws InterruptedException {
        return isRunning()
                ? prompt.runWhole(request, callerId, wait, most)
                : new SynchronousOutcome.Busy(settings.endurance().prompt());
    }

    /// Executes the database writes of a submission and rolls them back. Throws if a submission would fail.
    public void rehearse() {
        admission.rehearse(REHEARSED, queued(REHEARSED, Origin.UNKNOWN));
    }

    /// Returns the response of a job, with current progress if it runs in this process.
    public JobResponse describe(OptimizationJob job) {
        JobResponse stored = job.response();
        return stored.withProgress(latest(job.id(), stored.status(), stored.progress()));
    }

    /// Returns the state of a job, with current progress if it runs in this process.
    public OptimizationJob.Standing describe(OptimizationJob.Standing stored) {
        return stored.withProgress(latest(stored.id(), stored.status(), stored.progress()));
    }

    private JobProgress latest(UUID id, JobStatus status, JobProgress stored) {
        return status.isFinished() ? stored : running.progress(id).orElse(stored);
    }

    /// Cancels a queued or running job on any replica. A running job ends soon after, or succeeds if it was
    /// nearly done. A finished job does not change.
    ///
    /// @return true if it was queued or running
    public boolean cancel(UUID id) {
        boolean waited = Boolean.TRUE.equals(persistence.transaction().execute(_ -> cancelQueued(id)));
        boolean requested = !waited && transitions.requestCancel(id);
        if (requested) {
            running.stop(id, StopReason.CANCELLED);
        }
        persistence.events().check();
        return waited || requested;
    }

    private boolean cancelQueued(UUID id) {
        boolean waited = transitions.cancelQueued(id, JobColumns.now(clock));
        if (waited) {
            queue.remove(id);
        }
        return waited;
    }

    /// Deletes a finished job.
    public void remove(UUID id) {
        transitions.remove(id);
    }

    @Override
    public void start() {
        queue.start();
    }

    @Override
    public void stop() {
        queue.stop(prompt::stopAll);
    }

    @Override
    public boolean isRunning() {
        return queue.isRunning();
    }
}
