package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.fixture.GatedSearch;
import io.throughputoptimizer.fixture.TestDatabase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class JobRunnerTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    /// Nobody is taken for dead who was only slow; a start forgets the heartbeats of those before it at once.
    private static final Duration ALIVE = Duration.ofMinutes(1);
    private static final JobRequest SMALL = JobRequest.stored("{\"small\":true}");
    private static final JobSettings.Capacity ONE_RUNS_TWO_WAIT = new JobSettings.Capacity(1, 3);
    private static final JobRetention.Limits OFTEN =
            new JobRetention.Limits(100, Duration.ofDays(1), Duration.ofMillis(20));
    /// Beside the queue a search may take as long as its caller waits.
    private static final JobSettings.Endurance PATIENT = new JobSettings.Endurance(LONG, 3, ALIVE, Duration.ZERO, LONG);

    private final HikariDataSource database = TestDatabase.H2.newMigrated();
    private final JdbcClient jdbc = JdbcClient.create(database);
    private final JobStore store = new JobStore(jdbc);
    private final JobEvents<OptimizationJob.Standing> events = new JobEvents<>(store::standings);
    private final GatedSearch search = new GatedSearch();
    private @Nullable JobRunner runner;

    @AfterEach
    void close() {
        if (runner != null) {
            runner.stop();
        }
        database.close();
    }

    @Test
    void aJobThatSucceedsKeepsItsResultAndTimes() throws InterruptedException {
        JobRunner runner = start(search);
        OptimizationJob job = accepted(runner.submit(JobRequest.stored("{}"), Origin.UNKNOWN));
        search.awaitStart();
        Instant whileRunning = Instant.now();
        search.release();

        assertThat(awaitEnd(job.id())).isInstanceOfSatisfying(JobState.Succeeded.class, done -> {
            assertThat(done.startedAt()).isBetween(job.submittedAt(), whileRunning);
            assertThat(done.finishedAt()).isAfterOrEqualTo(done.startedAt());
            assertThat(done.progress()).isEqualTo(new JobProgress(1, 4, 1));
            assertThat(done.result()).isEqualTo(GatedSearch.result(1));
        });
    }

    @Test
    void aJobWhoseRequestNoLongerFitsTheCatalogueFailsWithItsFaults() throws InterruptedException {
        Violation gone = new Violation("/model_id", "is gone");
        JobRunner runner = start((_, _) -> {
            throw new InvalidRequestException(List.of(gone));
        });

        assertThat(awaitEnd(accepted(runner.submit(JobRequest.stored("{}"), Origin.UNKNOWN))
                        .id()))
                .isInstanceOfSatisfying(JobState.Failed.class, failed -> {
                    assertThat(failed.problem().errors()).extracting("pointer").containsExactly("/model_id");
                    assertThat(failed.problem().retryable()).isFalse();
                });
    }

    @Test
    void anErrorOfTheVirtualMachineFailsTheJobOnly() throws InterruptedException {
        JobRunner runner = start((request, _) -> {
            if (request.json().contains("deep")) {
                throw new StackOverflowError();
            }
            if (request.json().contains("large")) {
                throw new OutOfMemoryError("told by the test");
            }
            return new WrittenResult("{}", null, null);
        });
        JobState deep = awaitEnd(accepted(runner.submit(JobRequest.stored("{\"deep\":true}"), Origin.UNKNOWN))
                .id());
        JobState large = awaitEnd(accepted(runner.submit(JobRequest.stored("{\"large\":true}"), Origin.UNKNOWN))
                .id());

        assertThat(deep)
                .isInstanceOfSatisfying(
                        JobState.Failed.class,
                        failed -> assertThat(failed.problem().retryable()).isFalse());
        assertThat(large)
                .isInstanceOfSatisfying(
                        JobState.Failed.class,
                        failed -> assertThat(failed.problem().retryable()).isTrue());
        assertThat(awaitEnd(accepted(runner.submit(JobRequest.stored("{}"), Origin.UNKNOWN))
                                .id())
                        .status())
                .isEqualTo(JobStatus.SUCCEEDED);
    }

    @Test
    void aJobWhoseRequestCannotBeReadFailsAndTheNextOneRuns() throws InterruptedException {
        JobRunner runner = start(search);
        accepted(runner.submit(JobRequest.stored("{\"number\":1}"), Origin.UNKNOWN));
        search.awaitStart();
        OptimizationJob damaged = accepted(runner.submit(JobRequest.stored("{\"number\":2}"), Origin.UNKNOWN));
        OptimizationJob next = accepted(runner.submit(JobRequest.stored("{\"number\":3}"), Origin.UNKNOWN));
        jdbc.sql("UPDATE optimization_job SET request = :bytes WHERE id = :id")
                .param("bytes", new byte[] {1, 2, 3})
                .param("id", damaged.id())
                .update();
        search.release();
        search.release();

        events.awaitFinish(damaged.id(), LONG);
        assertThat(store.list(new JobStore.Filter(Set.of(JobStatus.FAILED), false, List.of()), null, null, 10)
                        .entries())
                .singleElement()
                .satisfies(job -> assertThat(job.id()).isEqualTo(damaged.id()));
        assertThat(awaitEnd(next.id()).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    @Test
    void aRefusedJobLeavesNoTrace() {
        JobRunner runner = start(search);
        accepted(runner.submit(JobRequest.stored("{\"number\":1}"), Origin.UNKNOWN));
        search.awaitStart();
        accepted(runner.submit(JobRequest.stored("{\"number\":2}"), Origin.UNKNOWN));
        accepted(runner.submit(JobRequest.stored("{\"number\":3}"), Origin.UNKNOWN));

        assertThat(runner.submit(JobRequest.stored("{\"number\":4}"), Origin.ofKey("key")))
                .isInstanceOf(Submission.QueueFull.class);
        assertThat(store.list(JobStore.Filter.ALL, null, null, 10).entries()).hasSize(3);
        assertThat(store.findByKey(Origin.ofKey("key"))).isEmpty();
    }

    @Test
    void cancellingAFinishedJobChangesNothing() throws InterruptedException {
        JobRunner runner = start(search);
        OptimizationJob job = accepted(runner.submit(JobRequest.stored("{}"), Origin.UNKNOWN));
        search.release();
        JobState end = awaitEnd(job.id());

        assertThat(runner.cancel(job.id())).isFalse();
        assertThat(end.status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(state(job.id())).isEqualTo(end);
    }

    @Test
    void waitingEndsWithTheWaitNotWithTheJob() throws InterruptedException {
        OptimizationJob job = accepted(start(search).submit(JobRequest.stored("{}"), Origin.UNKNOWN));
        events.awaitFinish(job.id(), Duration.ofMillis(1));

        assertThat(state(job.id()).isFinished()).isFalse();
    }

    @Test
    void waitingForAForgottenJobEnds() throws InterruptedException {
        start(search);

        assertThat(events.awaitChange(UUID.randomUUID(), null, LONG)).isEmpty();
    }

    @Test
    void aSearchThatTakesTooLongFails() throws InterruptedException {
        JobRunner runner = start(search, endurance(Duration.ofMillis(1)));

        assertThat(awaitEnd(accepted(runner.submit(JobRequest.stored("{}"), Origin.UNKNOWN))
                        .id()))
                .isInstanceOfSatisfying(JobState.Failed.class, failed -> {
                    assertThat(failed.problem().type().toString()).endsWith("/timed-out");
                    assertThat(failed.problem().retryable()).isFalse();
                });
    }

    @Test
    void aStopHandsRunningJobsBackAndAStartRunsThem() throws InterruptedException {
        JobRunner runner = start(search);
        OptimizationJob running = accepted(runner.submit(JobRequest.stored("{\"number\":1}"), Origin.UNKNOWN));
        search.awaitStart();
        OptimizationJob queued = accepted(runner.submit(JobRequest.stored("{\"number\":2}"), Origin.UNKNOWN));

        runner.stop();
        assertThat(List.of(state(running.id()), state(queued.id()))).containsOnly(new JobState.Queued());

        runner.start();
        search.awaitStart();
        search.release();
        search.release();
        assertThat(awaitEnd(running.id()).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(awaitEnd(queued.id()).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(search.requests()).containsExactly(running.request(), running.request(), queued.request());
    }

    @Test
    void aServiceThatStopsStartsNoSearchAnyMore() throws Exception {
        JobRunner runner = start(search, new JobSettings.Endurance(LONG, 3, ALIVE, LONG));
        OptimizationJob running = accepted(runner.submit(JobRequest.stored("{\"number\":1}"), Origin.UNKNOWN));
        search.awaitStart();
        OptimizationJob queued = accepted(runner.submit(JobRequest.stored("{\"number\":2}"), Origin.UNKNOWN));
        try (ExecutorService operator = Executors.newSingleThreadExecutor()) {
            Future<?> stop = operator.submit(() -> runner.stop());
            events.awaitFinish(running.id(), LONG); // The stop lets those go who wait.
            search.release();
            stop.get();
        }

        assertThat(search.requests()).containsExactly(running.request());
        assertThat(state(running.id()).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(state(queued.id())).isEqualTo(new JobState.Queued());
    }

    @Test
    void aJobThatIsTakenForLostWhenItEndsRunsAgain() throws InterruptedException {
        JobRunner runner = start(search, new JobSettings.Endurance(LONG, 9, Duration.ofMillis(200), Duration.ZERO));
        OptimizationJob job = accepted(runner.submit(JobRequest.stored("{}"), Origin.UNKNOWN));
        search.awaitStart();
        jdbc.sql("UPDATE optimization_job SET status = 'queued', started_at = NULL")
                .update();
        // On a slow machine it may be taken for lost more than once.
        IntStream.range(0, 9).forEach(_ -> search.release());

        assertThat(awaitEnd(job.id()).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    @Test
    void aJobThatIsInterruptedTooOftenFailsForThatReason() throws InterruptedException {
        UUID id = interrupted(2);
        start(search);

        assertThat(awaitEnd(id)).isInstanceOfSatisfying(JobState.Failed.class, failed -> {
            assertThat(failed.problem().type().toString()).endsWith("/interrupted");
            assertThat(failed.problem().retryable()).isTrue();
        });
        assertThat(search.requests()).isEmpty();
    }

    @Test
    void aJobThatIsInterruptedSeldomRunsAgain() throws InterruptedException {
        UUID id = interrupted(1);
        start(search);
        search.release();

        assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    @Test
    void aSearchThatWasTakenOverChangesNothingAnyMore() {
        JobRunner runner = start(search);
        OptimizationJob job = accepted(runner.submit(JobRequest.stored("{}"), Origin.UNKNOWN));
        search.awaitStart();
        JobTransitions otherReplica = new JobTransitions(jdbc, new JobMeters(new SimpleMeterRegistry()));
        otherReplica.start(job.id(), Instant.now().truncatedTo(ChronoUnit.MILLIS));
        JobState taken = state(job.id());

        runner.stop();

        assertThat(state(job.id())).isEqualTo(taken);
    }

    @Test
    void jobsAreForgottenWhileEveryWorkerIsBusyAndTheQueueIsFull() throws InterruptedException {
        JobRunner runner = start(search);
        accepted(runner.submit(JobRequest.stored("{\"number\":1}"), Origin.UNKNOWN));
        search.awaitStart();
        accepted(runner.submit(JobRequest.stored("{\"number\":2}"), Origin.UNKNOWN));
        accepted(runner.submit(JobRequest.stored("{\"number\":3}"), Origin.UNKNOWN));
        UUID old = new JobIds(Clock.systemUTC()).next();
        store.add(new OptimizationJob(
                old,
                Instant.EPOCH,
                JobRequest.stored("{}"),
                Origin.UNKNOWN,
                new JobState.Succeeded(Instant.EPOCH, Instant.EPOCH, JobProgress.NONE, "{}", null)));

        JobRetention retention = new JobRetention(Map.of(store.finished(), OFTEN), Clock.systemUTC());
        retention.start();
        while (store.find(old).isPresent()) {
            Thread.sleep(OFTEN.interval());
        }
        retention.stop();

        assertThat(store.list(
                                new JobStore.Filter(Set.of(JobStatus.QUEUED, JobStatus.RUNNING), false, List.of()),
                                null,
                                null,
                                10)
                        .entries())
                .hasSize(3);
    }

    @Test
    void withoutWorkersOrQueueThereIsNoRunner() {
        assertThatThrownBy(() -> new JobSettings.Capacity(0, 1)).hasMessageContaining("workers is 0");
        assertThatThrownBy(() -> new JobSettings.Capacity(1, 0)).hasMessageContaining("queued 0");
    }

    /// A running job whose replica died, after so many others.
    private UUID interrupted(int times) {
        UUID id = new JobIds(Clock.systemUTC()).next();
        store.add(new OptimizationJob(
                id,
                Instant.EPOCH,
                JobRequest.stored("{}"),
                Origin.UNKNOWN,
                new JobState.Running(Instant.EPOCH, JobProgress.NONE)));
        jdbc.sql("""
                INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked, picked_by,
                    last_heartbeat, consecutive_failures, version)
                VALUES ('optimization', :id, :then, TRUE, 'dead', :then, :times, 1)""")
                .param("id", id.toString())
                .param("then", JobColumns.time(Instant.EPOCH))
                .param("times", times)
                .update();
        return id;
    }

    @Test
    void aSmallSearchRunsWhileItsCallerWaitsAndIsStoredWithItsResult() throws InterruptedException {
        JobRunner runner =
                start((request, _) -> new WrittenResult("{\"of\":" + request.json() + "}", null, null), PATIENT);

        OptimizationJob job = accepted(runner.submitAndRun(SMALL, Origin.ofKey("key"), LONG));

        assertThat(job.state()).isInstanceOf(JobState.Succeeded.class);
        assertThat(store.find(job.id())).contains(job);
        assertThat(runner.submitAndRun(SMALL, Origin.ofKey("key"), LONG))
                .isEqualTo(new Submission.Known<>(withoutResult(job)));
        assertThat(runner.submitAndRun(JobRequest.stored("{}"), Origin.ofKey("key"), LONG))
                .isEqualTo(new Submission.KeyTaken<>());
        assertThat(store.list(JobStore.Filter.ALL, null, null, 10).entries()).hasSize(1);
    }

    @Test
    void aSmallSearchThatFailsIsStoredWithItsProblem() throws InterruptedException {
        JobRunner runner = start(
                (_, _) -> {
                    throw new OutOfMemoryError("told by the test");
                },
                PATIENT);

        OptimizationJob job = accepted(runner.submitAndRun(SMALL, Origin.UNKNOWN, LONG));

        assertThat(job.state()).isInstanceOf(JobState.Failed.class);
        assertThat(state(job.id())).isEqualTo(job.state());
    }

    @Test
    void aSmallSearchThatTakesLongerThanItsCallerWaitsGoesToTheQueue() throws InterruptedException {
        JobRunner runner = start(search);

        OptimizationJob job = accepted(runner.submitAndRun(SMALL, Origin.ofKey("key"), LONG));
        assertThat(job.state()).isEqualTo(new JobState.Queued());
        search.awaitStart();
        search.awaitStart();
        // One that is given up takes its permit too when it comes late.
        search.release();
        search.release();

        assertThat(awaitEnd(job.id())).isInstanceOf(JobState.Succeeded.class);
    }

    @Test
    void smallSearchesBeyondTheWorkersGoToTheQueue() throws Exception {
        JobRunner runner = start(search);
        try (ExecutorService callers = Executors.newSingleThreadExecutor()) {
            Future<Submission<OptimizationJob>> first =
                    callers.submit(() -> runner.submitAndRun(SMALL, Origin.UNKNOWN, LONG));
            search.awaitStart();
            OptimizationJob second = accepted(runner.submitAndRun(SMALL, Origin.UNKNOWN, LONG));

            assertThat(second.state()).isEqualTo(new JobState.Queued());
            // Each may start twice: as a small search that takes longer than it is given, and from the queue. One that
            // is given up takes its permit too when it comes late.
            IntStream.range(0, 4).forEach(_ -> search.release());
            assertThat(awaitEnd(second.id())).isInstanceOf(JobState.Succeeded.class);
            assertThat(awaitEnd(accepted(first.get()).id())).isInstanceOf(JobState.Succeeded.class);
        }
    }

    @Test
    void smallSearchesUnderOneKeyMakeOneJob() throws Exception {
        JobRunner runner = start((_, _) -> new WrittenResult("{}", null, null), PATIENT);
        try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
            List<Future<Submission<OptimizationJob>>> submissions = callers.invokeAll(
                    Collections.nCopies(32, () -> runner.submitAndRun(SMALL, Origin.ofKey("key"), LONG)));
            for (Future<Submission<OptimizationJob>> submission : submissions) {
                assertThat(submission.get()).isInstanceOfAny(Submission.Accepted.class, Submission.Known.class);
            }
        }
        assertThat(store.list(JobStore.Filter.ALL, null, null, 100).entries()).hasSize(1);
    }

    @Test
    void aServiceThatStopsLeavesSmallSearchesToTheQueue() throws Exception {
        JobRunner runner = start(search);
        try (ExecutorService callers = Executors.newSingleThreadExecutor()) {
            Future<Submission<OptimizationJob>> submission =
                    callers.submit(() -> runner.submitAndRun(SMALL, Origin.UNKNOWN, LONG));
            search.awaitStart();
            runner.stop();

            assertThat(state(accepted(submission.get()).id())).isEqualTo(new JobState.Queued());
        }
    }

    private OptimizationJob withoutResult(OptimizationJob job) {
        return store.findWithoutResult(job.id()).orElseThrow();
    }

    private static JobSettings.Endurance endurance(Duration timeout) {
        return new JobSettings.Endurance(timeout, 3, ALIVE, Duration.ZERO);
    }

    private JobRunner start(BiFunction<JobRequest, SearchMonitor, WrittenResult> work) {
        return start(work, endurance(LONG));
    }

    private JobRunner start(
            BiFunction<JobRequest, SearchMonitor, WrittenResult> work, JobSettings.Endurance endurance) {
        TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(database));
        JobRunner started = new JobRunner(
                new JobQueue.Persistence<>(database, transaction, store, events),
                work,
                new JobSettings(ONE_RUNS_TWO_WAIT, endurance),
                new JobRunner.Monitoring(new SimpleMeterRegistry(), ObservationRegistry.NOOP),
                Clock.systemUTC());
        started.start();
        runner = started;
        return started;
    }

    private static OptimizationJob accepted(Submission<OptimizationJob> submission) {
        return ((Submission.Accepted<OptimizationJob>) submission).job();
    }

    private JobState awaitEnd(UUID id) throws InterruptedException {
        events.awaitFinish(id, LONG);
        return state(id);
    }

    private JobState state(UUID id) {
        return store.find(id).map(OptimizationJob::state).orElseThrow();
    }
}
