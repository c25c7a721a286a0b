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
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/// Accepts jobs into the database queue shared by all replicas, and cancels them. Thread-safe.
public final class JobRunner implements SmartLifecycle {
    private final JobEvents<JobStanding> events;
    private final JobSettings settings;
    private final Clock clock;
    private final TransactionTemplate transaction;
    private final JobTransitions transitions;
    private final RunningJobs running;
    private final SynchronousSearches prompt;
    private final JobQueue queue;
    private final JobAdmission admission;
    private final QueueMaintenance rounds;
    private final JobRetention retention;

    /// Storage and change notification of jobs.
    public record Persistence(
            DataSource database, TransactionTemplate transaction, JobStore store, JobEvents<JobStanding> events) {}

    /// Metrics and traces.
    public record Monitoring(MeterRegistry meters, ObservationRegistry observations) {}

    /// @param search computes the result of a request; throws [java.util.concurrent.CancellationException] when
    ///     the monitor is canceled
    public JobRunner(
            Persistence persistence,
            BiFunction<JobRequest, SearchMonitor, WrittenResult> search,
            JobSettings settings,
            Monitoring monitoring,
            Clock clock) {
        this.events = persistence.events();
        this.settings = settings;
        this.clock = clock;
        this.transaction = persistence.transaction();
        JobMeters meters = new JobMeters(monitoring.meters());
        this.transitions = new JobTransitions(JdbcClient.create(persistence.database()), meters);
        this.running = new RunningJobs(transitions, settings.endurance().timeout());
        JobSearches searches = new JobSearches(
                search,
                settings.endurance().timeout(),
                new SearchTelemetry(monitoring.meters(), monitoring.observations()),
                clock);
        this.prompt = new SynchronousSearches(
                searches, settings.capacity().workers(), settings.endurance().prompt());
        this.queue = new JobQueue(
                persistence.database(),
                new JobWorker(
                        transitions,
                        running,
                        events,
                        searches,
                        settings.endurance().attempts()),
                new JobQueue.Kind(
                        "optimization",
                        "scheduled_tasks",
                        "optimization_job",
                        settings.capacity().workers(),
                        settings.endurance().heartbeat()),
                new JobQueue.Tools(clock, monitoring.meters()));
        this.rounds = new QueueMaintenance(
                "jobs", queue, running, events, settings.endurance().stopGrace());
        this.retention = new JobRetention(transitions, settings.retention(), clock);
        this.admission = new JobAdmission(
                persistence.store(),
                transaction,
                queue,
                prompt,
                settings.capacity().queued(),
                meters,
                clock);
        meters.watch(persistence.store(), () -> running.count() + prompt.count(), clock);
    }

    /// Accepts a request, unless its idempotency key is known. Concurrent submissions with one key create one
    /// job, on any replicas.
    ///
    /// @param request the effective request as JSON
    /// @param origin caller and idempotency key
    public Submission submit(JobRequest request, Origin origin) {
        return admission.submit(request, origin);
    }

    /// Runs a search immediately while the caller waits, and stores its job when it has ended, before the
    /// caller receives the response. The job is queued instead if too many searches wait or it takes too long.
    ///
    /// @param wait maximum waiting time of the caller
    public Submission submitAndRun(JobRequest request, Origin origin, Duration wait) throws InterruptedException {
        return isRunning() ? admission.submitAndRun(request, origin, wait) : admission.submit(request, origin);
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
        admission.rehearse();
    }

    /// Returns the response of a job, with current progress if it runs in this process.
    public JobResponse describe(OptimizationJob job) {
        JobResponse stored = job.response();
        return stored.withProgress(latest(job.id(), stored.status(), stored.progress()));
    }

    /// Returns the state of a job, with current progress if it runs in this process.
    public JobStanding describe(JobStanding stored) {
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
        boolean waited = Boolean.TRUE.equals(transaction.execute(_ -> cancelQueued(id)));
        boolean requested = !waited && transitions.requestCancel(id);
        if (requested) {
            running.stop(id, StopReason.CANCELLED);
        }
        events.check();
        return waited || requested;
    }

    private boolean cancelQueued(UUID id) {
        boolean waited = transitions.cancelQueued(id, now());
        if (waited) {
            queue.remove(id);
        }
        return waited;
    }

    /// Deletes a finished job.
    public void remove(UUID id) {
        transitions.remove(id);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public void start() {
        rounds.start();
        retention.start();
    }

    @Override
    public void stop() {
        retention.stop();
        rounds.stop(prompt::stopAll);
    }

    @Override
    public boolean isRunning() {
        return rounds.isRunning();
    }
}
