package io.throughputoptimizer.job;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.stats.MicrometerStatsRegistry;
import com.github.kagkarlsson.scheduler.stats.StatsRegistryAdapter;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.CompletionHandler.OnCompleteRemove;
import com.github.kagkarlsson.scheduler.task.Execution;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.ExecutionOperations;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.micrometer.core.instrument.MeterRegistry;
import io.throughputoptimizer.api.problem.Problem;
import java.sql.DatabaseMetaData;
import java.sql.Types;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;
import org.springframework.transaction.support.TransactionTemplate;

/// A queue of tasks in the database, shared by all replicas. It starts each task, compares running ones with the
/// database, and restarts those that were interrupted. Thread-safe.
public final class JobQueue {
    private static final Logger log = LoggerFactory.getLogger(JobQueue.class);

    /// Number of missed heartbeats after which a replica counts as dead.
    static final int MISSED_HEARTBEATS = 4;

    private static final Duration POLLING_INTERVAL = Duration.ofSeconds(1);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(5);
    private static final Duration ROUND = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(2);
    private static final String EMBEDDED = "jdbc:h2:file:";
    private static final double REFILL_BELOW = 0.5;
    private static final double FETCHED_PER_WORKER = 3;

    private final JdbcClient jdbc;
    private final DataSource database;
    private final JobEvents<?> events;
    private final Worker worker;
    private final RunningTasks running;
    private final Kind kind;
    private final JobSettings settings;
    private final Tools tools;
    private final Task<Void> task;
    private final SchedulerClient client;

    /// Null while the service is stopped.
    private volatile @Nullable Scheduler scheduler;

    /// Null while the service is stopped.
    private volatile @Nullable ScheduledExecutorService rounds;

    /// @param running the tasks that the worker runs
    public JobQueue(
            Persistence<?, ?> persistence,
            Worker worker,
            RunningTasks running,
            Kind kind,
            JobSettings settings,
            Tools tools) {
        this.jdbc = JdbcClient.create(persistence.database);
        this.database = new TransactionAwareDataSourceProxy(persistence.database);
        this.events = persistence.events;
        this.worker = worker;
        this.running = running;
        this.kind = kind;
        this.settings = settings;
        this.tools = tools;
        this.task = Tasks.custom(kind.task, Void.class)
                .onDeadExecution(this::recover)
                .onFailure((completed, entries) -> tryAgain(completed, entries, now().plus(PAUSE_AFTER_FAILURE)))
                .execute(this::run);
        this.client = SchedulerClient.Builder.create(this.database, task)
                .tableName(kind.entries)
                .build();
    }

    /// Kind of tasks in a queue.
    ///
    /// @param task name of the task and its threads
    /// @param entries table of the queue
    /// @param jobs table of the jobs whose ids begin the entry names
    public record Kind(String task, String entries, String jobs) {}

    /// Storage and change notification of jobs.
    public record Persistence<T, S extends JobEvents.Standing>(
            DataSource database, TransactionTemplate transaction, T store, JobEvents<S> events) {}

    /// @param meters registry of the queue's metrics
    public record Tools(Clock clock, MeterRegistry meters) {}

    /// End of a task in this process.
    public enum Completion {
        /// The task is done.
        ENDED,
        /// The task returns to its place in the queue.
        HANDED_BACK,
        /// Another replica considers the task interrupted and runs it, so its entry stays.
        LOST
    }

    /// Runs the tasks of a queue.
    public interface Worker {
        /// Runs a task, during which it is one of the running tasks.
        Completion run(String entry, JobQueue queue);

        /// Marks an interrupted task as queued.
        void requeue(String entry);

        /// Ends a task that was interrupted too often.
        void giveUp(String entry, Problem problem);

        /// Compares running tasks with the database, and stops those that have ended there.
        void synchronize(Set<RunningTask> tasks);
    }

    /// Adds new tasks in the caller's transaction.
    public void add(List<String> entries, Instant at) {
        client.scheduleBatch(
                entries.stream()
                        .<TaskInstance<?>>map(entry -> new TaskInstance<>(kind.task, entry))
                        .toList(),
                at);
    }

    /// Removes the unpicked tasks of a job in the caller's transaction.
    public void remove(UUID id) {
        jdbc.sql("DELETE FROM " + kind.entries
                        + " WHERE task_name = :task AND task_instance LIKE :entries AND NOT picked")
                .param("task", kind.task)
                .param("entries", id + "%")
                .update();
    }

    /// Triggers polling, after tasks were added.
    public void wake() {
        Scheduler started = scheduler;
        if (started != null) {
            started.triggerCheckForDueExecutions();
        }
    }

    private CompletionHandler<Void> run(TaskInstance<Void> instance, ExecutionContext context) {
        String entry = instance.getId();
        Completion completion = worker.run(entry, this);
        events.check();
        return switch (completion) {
            case ENDED -> new OnCompleteRemove<>();
            case HANDED_BACK ->
                (completed, entries) -> entries.reschedule(completed, context.getExecution().executionTime);
            case LOST -> (_, _) -> log.warn("{} {} was taken over by another replica", kind.task, entry);
        };
    }

    /// Handles an entry whose heartbeats stopped. The first time it keeps its place. After a second time the
    /// task may be what crashes the service, so it goes to the end of the queue.
    private void recover(ExecutionComplete completed, ExecutionOperations<Void> entries) {
        Execution execution = completed.getExecution();
        log.warn("{} {} was interrupted: the replica that ran it is gone", kind.task, execution.taskInstance.getId());
        tryAgain(completed, entries, execution.consecutiveFailures > 0 ? now() : execution.executionTime);
    }

    private void tryAgain(ExecutionComplete completed, ExecutionOperations<Void> entries, Instant at) {
        Execution execution = completed.getExecution();
        String entry = execution.taskInstance.getId();
        int failures = execution.consecutiveFailures + 1;
        if (failures < settings.endurance().attempts()) {
            worker.requeue(entry);
            entries.reschedule(completed, at);
        } else {
            worker.giveUp(entry, JobProblems.interrupted(failures));
            entries.remove();
        }
        events.check();
    }

    private Instant now() {
        return JobColumns.now(tools.clock);
    }

    /// Starts taking tasks, until [#stop].
    public void start() {
        ScheduledExecutorService begun = Executors.newSingleThreadScheduledExecutor(
                Thread.ofVirtual().name("running-" + kind.task).factory());
        ScheduledFuture<?> _ =
                begun.scheduleWithFixedDelay(this::round, ROUND.toMillis(), ROUND.toMillis(), TimeUnit.MILLISECONDS);
        rounds = begun;
        events.open();
        running.open();
        if (isExclusive()) {
            forgetHeartbeats();
        }
        forgetRetention();
        Scheduler started = build();
        started.start();
        scheduler = started;
    }

    /// Returns whether the queue is started.
    public boolean isRunning() {
        return rounds != null;
    }

    private void round() {
        try {
            Set<RunningTask> tasks = running.all();
            if (!tasks.isEmpty()) {
                worker.synchronize(tasks);
            }
        } catch (RuntimeException | Error e) { // One that got out would end the rounds.
            log.warn("cannot compare running tasks of {} with the database; trying again", kind.task, e);
        }
    }

    /// Stops the queue: releases callers that wait for jobs, gives running tasks time to finish, and returns
    /// unfinished ones to the queue.
    ///
    /// @param others stops other searches
    public void stop(Runnable others) {
        Scheduler started = scheduler;
        if (started != null) {
            started.pause();
        }
        running.close();
        events.close();
        others.run();
        awaitIdle();
        running.handBack();
        scheduler = null;
        if (started != null) {
            started.stop();
        }
        ScheduledExecutorService begun = rounds;
        rounds = null;
        if (begun != null) {
            begun.shutdown();
        }
    }

    private void awaitIdle() {
        long deadline = System.nanoTime() + settings.endurance().stopGrace().toNanos();
        try {
            while (running.count() > 0 && System.nanoTime() < deadline) {
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns whether only this process can have the database open.
    private boolean isExclusive() {
        try {
            String url = JdbcUtils.extractDatabaseMetaData(database, DatabaseMetaData::getURL);
            return url.startsWith(EMBEDDED);
        } catch (MetaDataAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Expires the heartbeats of picked entries. Their workers are dead, so their tasks can restart immediately.
    private void forgetHeartbeats() {
        jdbc.sql("UPDATE " + kind.entries + " SET last_heartbeat = :longAgo WHERE picked")
                .param("longAgo", JobColumns.time(Instant.EPOCH), Types.TIMESTAMP_WITH_TIMEZONE)
                .update();
    }

    /// Deletes the retention entry of earlier versions, which is not picked anymore.
    private void forgetRetention() {
        jdbc.sql("DELETE FROM " + kind.entries + " WHERE task_name = 'retention'")
                .update();
    }

    /// Creates a scheduler, which can run only once.
    private Scheduler build() {
        int workers = settings.capacity().workers();
        return Scheduler.create(database, task)
                .tableName(kind.entries)
                .schedulerName(new SchedulerName.Fixed(UUID.randomUUID().toString()))
                .threads(workers)
                .executorService(Executors.newFixedThreadPool(
                        workers, Thread.ofPlatform().name(kind.task + "-", 1).factory()))
                .jdbcCustomization(new FairPicking(database, kind.task, kind.jobs))
                .pollUsingFetch(REFILL_BELOW, FETCHED_PER_WORKER)
                .pollingInterval(POLLING_INTERVAL)
                .heartbeatInterval(settings.endurance().heartbeat())
                .missedHeartbeatsLimit(MISSED_HEARTBEATS)
                .shutdownMaxWait(LONGEST_STOP)
                .clock(tools.clock()::instant)
                .addSchedulerListener(
                        new StatsRegistryAdapter(new MicrometerStatsRegistry(tools.meters(), List.of(task))))
                .build();
    }
}
