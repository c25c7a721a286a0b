package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.throughputoptimizer.api.job.JobProgress;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.fixture.GatedSearch;
import io.throughputoptimizer.fixture.TestDatabase;
import io.throughputoptimizer.quota.CallerId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// One caller has much to do, another little: on every database, and over replicas.
abstract class SharedQueueContract {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int PLACES = 10;
    private static final Origin GREEDY = new Origin("key:greedy", null, CallerId.ofOwner("key:greedy"));
    private static final Origin OTHER = new Origin("key:other", null, CallerId.ofOwner("key:other"));
    private static final Origin GREEDY_ADDRESS = new Origin(null, null, CallerId.ofAddress("127.0.0.1"));
    private static final Origin OTHER_ADDRESS = new Origin(null, null, CallerId.ofAddress("127.0.0.2"));

    private final HikariDataSource database;
    private final JdbcClient jdbc;
    private final JobStore store;
    private final GatedSearch search = new GatedSearch();
    private final List<JobRunner> replicas = new ArrayList<>();
    private int entries;

    SharedQueueContract(TestDatabase kind) {
        database = kind.newMigrated();
        jdbc = JdbcClient.create(database);
        store = new JobStore(jdbc);
    }

    @AfterEach
    void close() {
        replicas.forEach(JobRunner::stop);
        database.close();
    }

    @Test
    void aCallerAloneHasFourFifthsOfTheQueueAndASecondOneAsMuchOfTheRest() {
        JobRunner replica = start(1);
        run(replica, GREEDY, "first");

        assertThat(fill(replica, GREEDY, "greedy")).isEqualTo(8);
        assertThat(fill(replica, OTHER, "other")).isEqualTo(1);
        assertThat(fill(replica, GREEDY_ADDRESS, "third")).isEqualTo(1);
        assertThat(replica.submit(JobRequest.stored("{}"), OTHER_ADDRESS))
                .isEqualTo(new Submission.QueueFull<>(0, PLACES, PLACES, null));
    }

    @Test
    void addressesShareTheQueueAsOwnersDo() {
        JobRunner replica = start(1);
        run(replica, GREEDY_ADDRESS, "first");

        assertThat(fill(replica, GREEDY_ADDRESS, "greedy")).isEqualTo(8);
        assertThat(fill(replica, OTHER_ADDRESS, "other")).isEqualTo(1);
        assertThat(replica.submit(JobRequest.stored("{}"), GREEDY_ADDRESS))
                .isEqualTo(new Submission.QueueFull<>(8, 9, PLACES, null));
    }

    @Test
    void replicasCountTogether() {
        JobRunner first = start(1);
        JobRunner second = start(1);
        run(first, GREEDY, "first");
        run(second, GREEDY, "second");

        assertThat(fill(first, GREEDY, "greedy")).isEqualTo(8);
        assertThat(second.submit(JobRequest.stored("{}"), GREEDY)).isInstanceOf(Submission.QueueFull.class);
        assertThat(second.submit(JobRequest.stored("{}"), OTHER)).isInstanceOf(Submission.Accepted.class);
    }

    /// Entries are looked up some at a time, so that a few of those before may still have their turn; but not the last.
    @Test
    void callersTakeTurnsAtAWorker() {
        JobRunner replica = start(1);
        run(replica, GREEDY, "greedy");
        submit(replica, GREEDY, "1", "2", "3", "4", "5", "6", "7");
        submit(replica, OTHER, "other 1", "other 2");
        for (int start = 0; start < 9; start++) {
            search.release();
            search.awaitStart();
        }

        assertThat(started().limit(8)).contains("other 1", "other 2");
    }

    /// Of two threads for small searches one is left to others.
    @Test
    void smallSearchesOfOneCallerLeaveRoomForThoseOfAnother() throws Exception {
        JobRunner replica = start(2);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Submission<OptimizationJob>>> greedy = new ArrayList<>();
            for (int number = 0; number < 4; number++) {
                greedy.add(callers.submit(() -> replica.submitAndRun(of("greedy"), GREEDY, LONG)));
            }
            search.awaitStart();
            Future<Submission<OptimizationJob>> other =
                    callers.submit(() -> replica.submitAndRun(of("other"), OTHER, LONG));
            search.awaitStart();

            assertThat(started()).containsExactly("greedy", "other");
            while (!other.isDone() || !greedy.stream().allMatch(Future::isDone)) {
                search.release();
                Thread.sleep(20);
            }
            assertThat(((Submission.Accepted<OptimizationJob>) other.get())
                            .job()
                            .state()
                            .isFinished())
                    .isTrue();
        }
    }

    @Test
    void theNextFreeWorkerGoesToWhoeverHasTheFewestRunning() {
        enqueue(GREEDY, true, 0);
        enqueue(GREEDY, true, 0);
        enqueue(OTHER_ADDRESS, true, 0);
        List<String> greedy = List.of(enqueue(GREEDY, false, 0), enqueue(GREEDY, false, 0));
        List<String> address = List.of(enqueue(OTHER_ADDRESS, false, 0), enqueue(OTHER_ADDRESS, false, 0));
        List<String> other = List.of(enqueue(OTHER, false, 0), enqueue(OTHER, false, 0));

        assertThat(picked())
                .containsExactly(
                        other.get(0), other.get(1), address.get(0), greedy.get(0), address.get(1), greedy.get(1));
    }

    @Test
    void ofTwoWhoHaveNothingRunningTheOneGoesFirstWhoseLastStartIsLongestAgo() {
        finished(GREEDY, 1, Duration.ofSeconds(1));
        String greedy = enqueue(GREEDY, false, 0);
        String other = enqueue(OTHER, false, 0);

        assertThat(picked()).containsExactly(other, greedy);
    }

    @Test
    void aJobThatInterruptedTheServiceTwiceGoesBehindEverybodysThatWaited() {
        List<String> greedy = List.of(enqueue(GREEDY, false, 0), enqueue(GREEDY, false, 0), enqueue(GREEDY, false, 0));
        String suspect = enqueue(OTHER, false, 2);
        String later = enqueue(OTHER, false, 0);
        String once = enqueue(OTHER_ADDRESS, false, 1);

        assertThat(picked()).containsExactly(greedy.get(0), once, greedy.get(1), later, greedy.get(2), suspect);
    }

    /// An entry of the queue, each a second after the one before.
    ///
    /// @return its id
    private String enqueue(Origin origin, boolean picked, int failures) {
        entries++;
        Instant at = Instant.EPOCH.plusSeconds(entries);
        OptimizationJob job = new OptimizationJob(
                new JobIds(Clock.systemUTC()).next(),
                at,
                JobRequest.stored("{}"),
                origin,
                picked ? new JobState.Running(at, JobProgress.NONE) : new JobState.Queued());
        store.add(job);
        jdbc.sql("""
                INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked, consecutive_failures,
                    version)
                VALUES ('optimization', :id, :at, :picked, :failures, 1)""")
                .param("id", job.id().toString())
                .param("at", JobColumns.time(at))
                .param("picked", picked)
                .param("failures", failures)
                .update();
        return job.id().toString();
    }

    /// Ids of entries in the order in which workers take them.
    private List<String> picked() {
        jdbc.sql("""
                INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked, version)
                VALUES ('another', 'no id', :at, FALSE, 1)""").param("at", JobColumns.time(Instant.EPOCH)).update();
        String query = new FairPicking(database, "optimization", "optimization_job")
                .createSelectDueQuery("scheduled_tasks", 7, "", false);
        List<String> instances = jdbc.sql(query)
                .param(false)
                .param(JobColumns.time(Instant.now()))
                .query((row, _) -> row.getString("task_instance"))
                .list();
        assertThat(instances).startsWith("no id");
        return instances.subList(1, instances.size());
    }

    @Test
    void whoeverFindsNoPlaceIsToldWhenOneOfItsOwnJobsHasMovedOn() {
        JobRunner replica = start(1);
        finished(OTHER, 1, Duration.ofSeconds(30));
        run(replica, GREEDY, "first");
        fill(replica, GREEDY, "greedy");

        assertThat(replica.submit(JobRequest.stored("{}"), GREEDY))
                .isEqualTo(new Submission.QueueFull<>(8, 8, PLACES, Duration.ofSeconds(30)));
        submit(replica, OTHER, "other");
        assertThat(replica.submit(JobRequest.stored("{}"), GREEDY))
                .isEqualTo(new Submission.QueueFull<>(8, 9, PLACES, Duration.ofSeconds(60)));
    }

    @Test
    void oneCallersFinishedJobsPushNobodyElsesOut() {
        List<OptimizationJob> others = finished(OTHER, 3, Duration.ofSeconds(1));
        List<OptimizationJob> addresses = finished(OTHER_ADDRESS, 3, Duration.ofSeconds(1));
        List<OptimizationJob> greedy = finished(GREEDY, 20, Duration.ofSeconds(1));
        assertThat(store.finished().removeBeyond(26)).isZero();
        assertThat(store.finished().removeBeyond(10)).isEqualTo(16);
        assertThat(kept())
                .hasSize(10)
                .containsAll(others)
                .containsAll(addresses)
                .containsAll(greedy.subList(16, 20));
        assertThat(store.finished().removeBeyond(7)).isEqualTo(3);
        assertThat(kept())
                .containsAll(others.subList(1, 3))
                .containsAll(addresses.subList(1, 3))
                .containsAll(greedy.subList(17, 20));
    }

    private List<OptimizationJob> kept() {
        return store.list(new JobStore.Filter(Set.of(JobStatus.SUCCEEDED), false, List.of()), null, null, 100)
                .entries();
    }

    private List<OptimizationJob> finished(Origin origin, int number, Duration time) {
        JobIds ids = new JobIds(Clock.systemUTC());
        Instant begin = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return IntStream.range(0, number)
                .mapToObj(_ -> {
                    OptimizationJob job = new OptimizationJob(
                            ids.next(),
                            begin,
                            JobRequest.stored("{}"),
                            origin,
                            new JobState.Succeeded(begin, begin.plus(time), JobProgress.NONE, null, null));
                    store.add(job);
                    return job;
                })
                .toList();
    }

    private static JobRequest of(String name) {
        return JobRequest.stored("{\"of\":\"" + name + "\"}");
    }

    private Stream<String> started() {
        return search.requests().stream().map(request -> request.replaceAll(".*:\"|\"}", ""));
    }

    private void run(JobRunner replica, Origin origin, String request) {
        submit(replica, origin, request);
        search.awaitStart();
    }

    private static void submit(JobRunner replica, Origin origin, String... requests) {
        for (String request : requests) {
            assertThat(replica.submit(of(request), origin)).isInstanceOf(Submission.Accepted.class);
        }
    }

    /// @return how many jobs found a place
    private static int fill(JobRunner replica, Origin origin, String request) {
        int taken = 0;
        while (replica.submit(of(request), origin) instanceof Submission.Accepted) {
            taken++;
        }
        return taken;
    }

    private JobRunner start(int workers) {
        TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(database));
        JobRunner replica = new JobRunner(
                new JobQueue.Persistence<>(database, transaction, store, new JobEvents<>(store::standings)),
                search,
                new JobSettings(
                        new JobSettings.Capacity(workers, PLACES),
                        new JobSettings.Endurance(LONG, 3, LONG, Duration.ZERO, LONG)),
                new JobRunner.Monitoring(new SimpleMeterRegistry(), ObservationRegistry.NOOP),
                Clock.systemUTC());
        replica.start();
        replicas.add(replica);
        return replica;
    }
}
