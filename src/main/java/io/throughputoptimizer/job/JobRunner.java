package io.throughputoptimizer.job;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.job.ProgressMonitor.StopReason;
import io.throughputoptimizer.share.Sharer;
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

/// Accepts jobs into the queue in the database, which this replica and others work off, and ends those that
/// nobody wants any more. Thread-safe.
public final class JobRunner implements SmartLifecycle {
    private final JobEvents<JobStanding> events;
    private final JobSettings settings;
    private final Clock clock;
    private final TransactionTemplate transaction;
    private final JobTransitions transitions;
    private final RunningJobs running;
    private final PromptSearches prompt;
    private final JobQueue queue;
    private final JobAdmission admission;
    private final QueueRounds rounds;
    private final JobRetention retention;

    /// Where jobs are kept, and who is told.
    public record Persistence(
            DataSource database, TransactionTemplate transaction, JobStore store, JobEvents<JobStanding> events) {}

    /// Where figures and observations go.
    public record Monitoring(MeterRegistry meters, ObservationRegistry observations) {}

    /// @param search from a request to its result; ends early with a
    ///     [java.util.concurrent.CancellationException] when the monitor says so
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
        this.prompt = new PromptSearches(
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
        this.rounds = new QueueRounds(
                "jobs", queue, running, events, settings.endurance().stopGrace(), clock);
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

    /// Takes a request, unless its idempotency key is known. Concurrent submissions under one key make one job,
    /// on whichever replicas they arrive.
    ///
    /// @param request the effective request as JSON
    /// @param origin who submits it, and under which key
    public Submission submit(JobRequest request, Origin origin) {
        return admission.submit(request, origin);
    }

    /// As [#submit], for a search whose caller waits: it runs at once, and its job is stored when it has ended,
    /// before the caller learns of it. It goes to the queue when too many do so, or when it takes too long.
    ///
    /// @param wait how long the caller would wait
    public Submission submitAndRun(JobRequest request, Origin origin, Duration wait) throws InterruptedException {
        return isRunning() ? admission.submitAndRun(request, origin, wait) : admission.submit(request, origin);
    }

    /// Runs a search for a caller who waits, and keeps nothing of it: no job is stored, and no queue takes it.
    ///
    /// @param sharer who waits
    /// @param wait how long the caller would wait, for a thread included
    /// @param most processor time of all threads that take part in the search
    public PromptEnd searchOnly(JobRequest request, Sharer sharer, Duration wait, Duration most)
            throws InterruptedException {
        return isRunning()
                ? prompt.runWhole(request, sharer, wait, most)
                : new PromptEnd.Busy(settings.endurance().prompt());
    }

    /// Does to the database what a submission does, and takes it back. Fails if a submission would.
    public void rehearse() {
        admission.rehearse();
    }

    /// The job as callers see it, its progress up to now if it runs in this process.
    public JobResponse describe(OptimizationJob job) {
        JobResponse stored = job.response();
        return stored.withProgress(latest(job.id(), stored.status(), stored.progress()));
    }

    /// How a job stands, its progress up to now if it runs in this process.
    public JobStanding describe(JobStanding stored) {
        return stored.withProgress(latest(stored.id(), stored.status(), stored.progress()));
    }

    private JobProgress latest(UUID id, JobStatus status, JobProgress stored) {
        return status.isFinished() ? stored : running.progress(id).orElse(stored);
    }

    /// Ends a job that waits or runs, on whichever replica. A running one ends soon after, or succeeds if it was
    /// nearly done; a finished one stays as it is.
    ///
    /// @return whether it was waiting or running
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

    /// Forgets a finished job.
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

    /// Whether this process takes jobs from the queue.
    public boolean isLookingForJobs() {
        return queue.isAlive();
    }

    @Override
    public boolean isRunning() {
        return rounds.isRunning();
    }
}
