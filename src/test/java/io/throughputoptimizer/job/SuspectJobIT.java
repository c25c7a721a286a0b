package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.fixture.GatedSearch;
import io.throughputoptimizer.fixture.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// Where a job waits after a process has died that ran it. Entries of the queue are taken in the order of their times.
class SuspectJobIT {
    private static final Instant SUBMITTED = Instant.parse("2026-01-02T03:04:05Z");

    private final JobIds ids = new JobIds(Clock.systemUTC());

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aJobThatTookOneProcessDownKeepsItsPlace(TestDatabase kind) throws InterruptedException {
        assertThat(timeInQueue(kind, 0)).isEqualTo(SUBMITTED);
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aJobThatTookItsProcessDownTwiceGoesBehindThoseThatWait(TestDatabase kind) throws InterruptedException {
        Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);

        assertThat(timeInQueue(kind, 1)).isAfterOrEqualTo(before);
    }

    /// When the entry of a job is due that was lost again, while the only worker is busy.
    private Instant timeInQueue(TestDatabase kind, int deathsBefore) throws InterruptedException {
        try (HikariDataSource database = kind.newMigrated()) {
            JobStore store = new JobStore(JdbcClient.create(database));
            GatedSearch search = new GatedSearch();
            JobRunner runner = runner(database, store, search);
            runner.start();
            runner.submit(JobRequest.stored("{}"), Origin.UNKNOWN);
            search.awaitStart();
            UUID lost = lost(database, deathsBefore);
            Optional<Instant> due = due(database, lost);
            while (due.isEmpty()) {
                Thread.sleep(20);
                due = due(database, lost);
            }
            runner.stop();
            return due.get();
        }
    }

    private static Optional<Instant> due(HikariDataSource database, UUID id) {
        return JdbcClient.create(database)
                .sql("SELECT execution_time FROM scheduled_tasks WHERE task_instance = :id AND NOT picked")
                .param("id", id.toString())
                .query((row, _) -> row.getObject(1, OffsetDateTime.class).toInstant())
                .optional();
    }

    /// A running job whose process is dead.
    private UUID lost(HikariDataSource database, int deathsBefore) {
        UUID id = ids.next();
        JdbcClient jdbc = JdbcClient.create(database);
        JobState running = new JobState.Running(SUBMITTED, JobProgress.NONE);
        new JobStore(jdbc).add(new OptimizationJob(id, SUBMITTED, JobRequest.stored("{}"), Origin.UNKNOWN, running));
        jdbc.sql("""
                INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked, picked_by,
                    last_heartbeat, consecutive_failures, version)
                VALUES ('optimization', :id, :at, TRUE, 'dead', :at, :deaths, 1)""")
                .param("id", id.toString())
                .param("at", JobColumns.time(SUBMITTED))
                .param("deaths", deathsBefore)
                .update();
        return id;
    }

    private static JobRunner runner(HikariDataSource database, JobStore store, GatedSearch search) {
        return new JobRunner(
                new JobQueue.Persistence<>(
                        database,
                        new TransactionTemplate(new DataSourceTransactionManager(database)),
                        store,
                        new JobEvents<>(store::standings)),
                search,
                new JobSettings(
                        new JobSettings.Capacity(1, 2),
                        new JobSettings.Endurance(Duration.ofMinutes(1), 4, Duration.ofMillis(200), Duration.ZERO)),
                new JobRunner.Monitoring(new SimpleMeterRegistry(), ObservationRegistry.NOOP),
                Clock.systemUTC());
    }
}
