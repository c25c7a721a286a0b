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
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/// Accepts jobs into the queue in the database, which this replica and others work off, and ends those that
/// nobody wants any more. Thread-safe.
public final class JobRunner implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(JobRunner.class);
    private static final Duration ROUND = Duration.ofMillis(200);
    private static final Duration LONG_ROUND = Duration.ofSeconds(20);

    private final JobEvents<JobStanding> events;
    private final JobSettings settings;
    private final Clock clock;
    private final TransactionTemplate transaction;
    private final JobTransitions transitions;
    private final RunningJobs running;
    private final PromptSearches prompt;
    private final JobQueue queue;
    private final JobAdmission admission;
    private final JobRetention retention;
    private final ClockWatch watch;
    /// Held while the queue is taken up or left.
    private final ReentrantLock turning = new ReentrantLock();

    /// Absent while the service is stopped.
    private volatile @Nullable ScheduledExecutorService rounds;

    /// Where jobs are kept, and who is told.
    public record Persistence(
            DataSource database, TransactionTemplate transaction, JobStore store, JobEvents<JobStanding> events) {}

    /// Where figures and observations go.
    public record Monitoring(MeterRegistry meters, ObservationRegistry observations) {}

    /// @param search from a request to its result as JSON; ends early with a
    ///     [java.util.concurrent.CancellationException] when the monitor says so
    public JobRunner(
            Persistence persistence,
            BiFunction<JobRequest, SearchMonitor, String> search,
            JobSettings settings,
            Monitoring monitoring,
            Clock clock) {
        this.events = persistence.events();
        this.settings = settings;
        this.clock = clock;
        this.watch = new ClockWatch(clock);
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

    /// As [#submit], for a small search whose caller waits: it runs at once, and its job is stored when it has ended,
    /// before the caller learns of it. It goes to the queue when too many do so, or when it takes too long.
    ///
    /// @param wait how long the caller would wait
    public Submission submitAndRun(JobRequest request, Origin origin, Duration wait) throws InterruptedException {
        return isRunning() ? admission.submitAndRun(request, origin, wait) : admission.submit(request, origin);
    }

    /// Runs a small search for a caller who waits, and keeps nothing of it: no job is stored, and no queue takes it.
    ///
    /// @param sharer who waits
    /// @param wait how long the caller would wait, for a thread included
    public PromptEnd searchOnly(JobRequest request, Sharer sharer, Duration wait) throws InterruptedException {
        return isRunning()
                ? prompt.runWhole(UUID.randomUUID(), request, sharer, wait)
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

    private void round() {
        try {
            Duration setBack = watch.look();
            if (setBack.isPositive()) {
                takeQueueAnew(setBack);
            }
            running.synchronize();
        } catch (RuntimeException | Error e) { // One that got out would end the rounds.
            log.warn("cannot compare the running jobs with the database; trying again", e);
        }
    }

    private void longRound() {
        try {
            queue.bringForward();
        } catch (RuntimeException | Error e) {
            log.warn("cannot look for entries of the queue that lie ahead; trying again", e);
        }
    }

    /// The scheduler waits for times of the clock, which come that much later now: neither would it look for jobs nor
    /// show that this replica lives. What runs here goes back to the queue.
    private void takeQueueAnew(Duration setBack) {
        turning.lock();
        try {
            if (isRunning()) {
                log.warn("the clock was set back by {} s: running searches are begun again", setBack.toSeconds());
                queue.pause();
                running.close();
                running.handBack();
                queue.renew(running::open);
            }
        } finally {
            turning.unlock();
        }
    }

    @Override
    public void start() {
        turning.lock();
        try {
            begin();
        } finally {
            turning.unlock();
        }
    }

    private void begin() {
        ScheduledExecutorService begun = Executors.newSingleThreadScheduledExecutor(
                Thread.ofVirtual().name("running-jobs").factory());
        ScheduledFuture<?> _ =
                begun.scheduleWithFixedDelay(this::round, ROUND.toMillis(), ROUND.toMillis(), TimeUnit.MILLISECONDS);
        ScheduledFuture<?> _ =
                begun.scheduleWithFixedDelay(this::longRound, 0, LONG_ROUND.toMillis(), TimeUnit.MILLISECONDS);
        rounds = begun;
        events.open();
        running.open();
        queue.start();
        retention.start();
    }

    /// Lets those go who wait for jobs, gives running searches some time, and hands back to the queue what is
    /// still unfinished then.
    @Override
    public void stop() {
        turning.lock();
        try {
            end();
        } finally {
            turning.unlock();
        }
    }

    private void end() {
        retention.stop();
        queue.pause();
        running.close();
        events.close();
        prompt.stopAll();
        running.awaitNone(settings.endurance().stopGrace());
        running.handBack();
        queue.stop();
        ScheduledExecutorService begun = rounds;
        rounds = null;
        if (begun != null) {
            begun.shutdown();
        }
    }

    /// Whether this process takes jobs from the queue.
    public boolean isLookingForJobs() {
        return queue.isAlive();
    }

    @Override
    public boolean isRunning() {
        return rounds != null;
    }
}
