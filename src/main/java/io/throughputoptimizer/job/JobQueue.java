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

/// A queue in the database, which all replicas share. Thread-safe.
public final class JobQueue {
    /// Heartbeats that a replica may miss before it is taken for dead.
    static final int MISSED_HEARTBEATS = 4;

    private static final Duration POLLING_INTERVAL = Duration.ofSeconds(1);
    /// Entries are put off by less, and clocks of replicas should differ by less.
    private static final Duration FARTHEST_AHEAD = Duration.ofSeconds(10);

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
    private final QueuePulse pulse = new QueuePulse();

    /// Absent while the service is stopped.
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

    /// What is queued.
    ///
    /// @param task its name, also that of its threads
    /// @param entries table of the queue
    /// @param jobs table of the jobs with whose ids the names of entries begin
    /// @param workers entries that are worked on in this process at the same time
    /// @param heartbeat how often this replica shows that it lives
    public record Kind(String task, String entries, String jobs, int workers, Duration heartbeat) {}

    /// Who works entries off.
    public interface Worker {
        /// Does what an entry stands for, and says what becomes of it.
        CompletionHandler<Void> run(TaskInstance<Void> entry, ExecutionContext context);

        /// Decides on an entry whose worker is no more.
        void recover(ExecutionComplete completed, ExecutionOperations<Void> entries);

        /// Decides on an entry that could not be run.
        void retry(ExecutionComplete completed, ExecutionOperations<Void> entries);
    }

    /// @param meters where the queue's figures go
    public record Tools(Clock clock, MeterRegistry meters) {}

    /// Adds a job, in the caller's transaction.
    void add(UUID id, Instant at) {
        client.schedule(new TaskInstance<>(kind.task, id.toString()), at, ScheduleOptions.WHEN_EXISTS_DO_NOTHING);
    }

    /// Adds parts of a job, in the caller's transaction; none may be there yet.
    ///
    /// @param parts names that begin with its id
    public void addAll(List<String> parts, Instant at) {
        client.scheduleBatch(
                parts.stream()
                        .<TaskInstance<?>>map(part -> new TaskInstance<>(kind.task, part))
                        .toList(),
                at);
    }

    /// Removes the parts of a job that nobody has taken, in the caller's transaction.
    public void removeAll(UUID id) {
        jdbc.sql("DELETE FROM " + kind.entries
                        + " WHERE task_name = :task AND task_instance LIKE :parts AND NOT picked")
                .param("task", kind.task)
                .param("parts", id + "%")
                .update();
    }

    /// Removes a job that nobody has taken, in the caller's transaction.
    void remove(UUID id) {
        jdbc.sql("DELETE FROM " + kind.entries + " WHERE task_name = :task AND task_instance = :id AND NOT picked")
                .param("task", kind.task)
                .param("id", id.toString())
                .update();
    }

    /// Looks for jobs soon: one was added.
    public void wake() {
        Scheduler running = scheduler;
        if (running != null) {
            running.triggerCheckForDueExecutions();
        }
    }

    /// Takes jobs, until [#stop].
    void start() {
        if (isExclusive()) {
            forgetHeartbeats();
        }
        forgetRetention();
        Scheduler started = build();
        pulse.beat();
        started.start();
        scheduler = started;
    }

    /// Whether entries are looked for, with or without success.
    public boolean isAlive() {
        return scheduler != null && pulse.isFelt();
    }

    /// Whether this process is the only one that can have the database open.
    private boolean isExclusive() {
        try {
            String url = JdbcUtils.extractDatabaseMetaData(database, DatabaseMetaData::getURL);
            return url.startsWith(EMBEDDED);
        } catch (MetaDataAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Whoever had taken entries is dead: their jobs need not wait until that shows.
    private void forgetHeartbeats() {
        jdbc.sql("UPDATE " + kind.entries + " SET last_heartbeat = :longAgo WHERE picked")
                .param("longAgo", JobColumns.time(Instant.EPOCH), Types.TIMESTAMP_WITH_TIMEZONE)
                .update();
    }

    /// Earlier versions had an entry for it, which nobody takes any more.
    private void forgetRetention() {
        jdbc.sql("DELETE FROM " + kind.entries + " WHERE task_name = 'retention'")
                .update();
    }

    /// Takes times back to now that lie further ahead than any is meant to: a clock was set back, or another replica's
    /// is ahead. Who waits for its turn keeps its place.
    void bringForward() {
        Instant now = tools.clock().instant();
        bringForward(now.plus(FARTHEST_AHEAD), now);
        jdbc.sql("UPDATE " + kind.entries + " SET last_heartbeat = :now WHERE picked AND last_heartbeat > :limit")
                .param("now", JobColumns.time(now), Types.TIMESTAMP_WITH_TIMEZONE)
                .param("limit", JobColumns.time(now.plus(FARTHEST_AHEAD)), Types.TIMESTAMP_WITH_TIMEZONE)
                .update();
    }

    private void bringForward(Instant limit, Instant now) {
        List<String> ahead = jdbc.sql("SELECT task_instance FROM " + kind.entries + " WHERE task_name = :task"
                        + " AND NOT picked AND execution_time > :limit ORDER BY execution_time, task_instance")
                .param("task", kind.task)
                .param("limit", JobColumns.time(limit), Types.TIMESTAMP_WITH_TIMEZONE)
                .query((row, _) -> row.getString("task_instance"))
                .list();
        Instant at = now.minusMillis(ahead.size());
        for (String entry : ahead) {
            jdbc.sql("UPDATE " + kind.entries + " SET execution_time = :at"
                            + " WHERE task_name = :task AND task_instance = :entry AND NOT picked")
                    .param("at", JobColumns.time(at), Types.TIMESTAMP_WITH_TIMEZONE)
                    .param("task", kind.task)
                    .param("entry", entry)
                    .update();
            at = at.plusMillis(1);
        }
    }

    /// A scheduler runs once only.
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
                .addSchedulerListener(pulse)
                .addSchedulerListener(
                        new StatsRegistryAdapter(new MicrometerStatsRegistry(tools.meters(), List.of(task))))
                .build();
    }

    /// Begins anew to take jobs, which it is said to do meanwhile. To be called after [#pause], when what runs was told
    /// to end.
    ///
    /// @param between is called when the last job has left
    void renew(Runnable between) {
        Scheduler before = scheduler;
        if (before != null) {
            before.stop();
            between.run();
            bringForward();
            start();
        }
    }

    /// Takes no more jobs.
    void pause() {
        Scheduler running = scheduler;
        if (running != null) {
            running.pause();
        }
    }

    /// Waits for the running jobs to leave.
    void stop() {
        Scheduler running = scheduler;
        scheduler = null;
        if (running != null) {
            running.stop();
        }
    }
}
