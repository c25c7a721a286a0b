package io.throughputoptimizer.job;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.SchedulerClient.ScheduleOptions;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.stats.MicrometerStatsRegistry;
import com.github.kagkarlsson.scheduler.stats.StatsRegistryAdapter;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.ExecutionOperations;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.DatabaseMetaData;
import java.sql.Types;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/// A database-backed job queue shared by all replicas. Thread-safe.
public final class JobQueue {
    /// Number of missed heartbeats after which a replica counts as dead.
    static final int MISSED_HEARTBEATS = 4;

    private static final Duration POLLING_INTERVAL = Duration.ofSeconds(1);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(5);
    private static final String EMBEDDED = "jdbc:h2:file:";
    private static final double REFILL_BELOW = 0.5;
    private static final double FETCHED_PER_WORKER = 3;

    private final JdbcClient jdbc;
    private final DataSource database;
    private final Kind kind;
    private final Tools tools;
    private final Task<Void> task;
    private final SchedulerClient client;

    /// Null while the service is stopped.
    private volatile @Nullable Scheduler scheduler;

    public JobQueue(DataSource database, Worker worker, Kind kind, Tools tools) {
        this.jdbc = JdbcClient.create(database);
        this.database = new TransactionAwareDataSourceProxy(database);
        this.kind = kind;
        this.tools = tools;
        this.task = Tasks.custom(kind.task, Void.class)
                .onDeadExecution(worker::recover)
                .onFailure(worker::retry)
                .execute(worker::run);
        this.client = SchedulerClient.Builder.create(this.database, task)
                .tableName(kind.entries)
                .build();
    }

    /// Configuration of a queue.
    ///
    /// @param task name of the task and its threads
    /// @param entries table of the queue
    /// @param jobs table of the jobs whose ids begin the entry names
    /// @param workers entries processed concurrently on this replica
    /// @param heartbeat heartbeat interval of this replica
    public record Kind(String task, String entries, String jobs, int workers, Duration heartbeat) {}

    /// Processes entries.
    public interface Worker {
        /// Processes an entry and returns its completion.
        CompletionHandler<Void> run(TaskInstance<Void> entry, ExecutionContext context);

        /// Handles an entry whose worker died.
        void recover(ExecutionComplete completed, ExecutionOperations<Void> entries);

        /// Handles an entry that failed to run.
        void retry(ExecutionComplete completed, ExecutionOperations<Void> entries);
    }

    /// @param meters registry of the queue's metrics
    public record Tools(Clock clock, MeterRegistry meters) {}

    /// Adds a job in the caller's transaction.
    void add(UUID id, Instant at) {
        client.schedule(new TaskInstance<>(kind.task, id.toString()), at, ScheduleOptions.WHEN_EXISTS_DO_NOTHING);
    }

    /// Adds parts of a job in the caller's transaction; none of them may exist.
    ///
    /// @param parts names that begin with the job id
    public void addAll(List<String> parts, Instant at) {
        client.scheduleBatch(
                parts.stream()
                        .<TaskInstance<?>>map(part -> new TaskInstance<>(kind.task, part))
                        .toList(),
                at);
    }

    /// Removes the unpicked parts of a job in the caller's transaction.
    public void removeAll(UUID id) {
        jdbc.sql("DELETE FROM " + kind.entries
                        + " WHERE task_name = :task AND task_instance LIKE :parts AND NOT picked")
                .param("task", kind.task)
                .param("parts", id + "%")
                .update();
    }

    /// Removes an unpicked job in the caller's transaction.
    void remove(UUID id) {
        jdbc.sql("DELETE FROM " + kind.entries + " WHERE task_name = :task AND task_instance = :id AND NOT picked")
                .param("task", kind.task)
                .param("id", id.toString())
                .update();
    }

    /// Triggers polling, after a job was added.
    public void wake() {
        Scheduler running = scheduler;
        if (running != null) {
            running.triggerCheckForDueExecutions();
        }
    }

    /// Starts taking jobs, until [#stop].
    void start() {
        if (isExclusive()) {
            forgetHeartbeats();
        }
        forgetRetention();
        Scheduler started = build();
        started.start();
        scheduler = started;
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

    /// Expires the heartbeats of picked entries. Their workers are dead, so their jobs can restart immediately.
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
        int workers = kind.workers;
        return Scheduler.create(database, task)
                .tableName(kind.entries)
                .schedulerName(new SchedulerName.Fixed(UUID.randomUUID().toString()))
                .threads(workers)
                .executorService(Executors.newFixedThreadPool(
                        workers, Thread.ofPlatform().name(kind.task + "-", 1).factory()))
                .jdbcCustomization(new FairPicking(database, kind.task, kind.jobs))
                .pollUsingFetch(REFILL_BELOW, FETCHED_PER_WORKER)
                .pollingInterval(POLLING_INTERVAL)
                .heartbeatInterval(kind.heartbeat)
                .missedHeartbeatsLimit(MISSED_HEARTBEATS)
                .shutdownMaxWait(LONGEST_STOP)
                .clock(tools.clock()::instant)
                .addSchedulerListener(
                        new StatsRegistryAdapter(new MicrometerStatsRegistry(tools.meters(), List.of(task))))
                .build();
    }

    /// Stops taking jobs.
    void pause() {
        Scheduler running = scheduler;
        if (running != null) {
            running.pause();
        }
    }

    /// Stops and waits for running jobs.
    void stop() {
        Scheduler running = scheduler;
        scheduler = null;
        if (running != null) {
            running.stop();
        }
    }
}
