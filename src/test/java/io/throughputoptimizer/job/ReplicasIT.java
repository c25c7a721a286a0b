package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ServiceClient.OPTIMIZATIONS;
import static io.throughputoptimizer.job.ServiceClient.awaitEnd;
import static io.throughputoptimizer.job.ServiceClient.awaitStatus;
import static io.throughputoptimizer.job.ServiceClient.count;
import static io.throughputoptimizer.job.ServiceClient.job;
import static io.throughputoptimizer.job.ServiceClient.json;
import static io.throughputoptimizer.job.ServiceClient.longSearch;
import static io.throughputoptimizer.job.ServiceClient.shortSearch;
import static io.throughputoptimizer.job.ServiceClient.submit;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.PostgresServer;
import io.throughputoptimizer.fixture.ServiceProcess;
import io.throughputoptimizer.fixture.TestDatabase;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Two processes of the service on one PostgreSQL.
@EveryNight
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ReplicasIT {
    /// Of the places in the queue one caller may have so many.
    private static final int CAPACITY = 60;

    private static final int PLACES = CAPACITY * 5 / 4;

    private static final int POSTS = 1000;

    /// Of 200 cells.
    private static final String SWEEP = """
            {"base": {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "mode": "disaggregation",
                      "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 4000}},
             "axes": [{"pointer": "/workload/input_length", "values": {"from": 500, "to": 9000, "steps": 200}}]}""";

    private final String database = PostgresServer.newDatabase();
    private final String[] settings = {
        "optimizer.jobs.workers=1",
        "optimizer.jobs.queue-capacity=" + PLACES,
        "optimizer.jobs.search-parallelism=1",
        "optimizer.sweeps.workers=1",
        "optimizer.recovery.heartbeat=1s",
        "optimizer.recovery.attempts=100",
        "spring.datasource.url=" + database
    };
    private ServiceProcess one = ServiceProcess.NONE;
    private ServiceProcess other = ServiceProcess.NONE;

    @BeforeAll
    void start(@TempDir Path folder) {
        one = ServiceProcess.start(folder, settings);
        other = ServiceProcess.start(folder, settings);
    }

    @AfterEach
    void cancelAll() throws Exception {
        while (count(other, "queued") + count(other, "running") > 0) {
            for (String status : List.of("queued", "running")) {
                for (var job : json(other.get(OPTIMIZATIONS + "?limit=100&status=" + status))
                        .required("optimizations")) {
                    other.post(OPTIMIZATIONS + "/" + job.required("id").asString() + "/cancel", "");
                }
            }
        }
    }

    @AfterAll
    void stop() {
        one.close();
        other.close();
    }

    /// The last: nobody needs to start the killed one again.
    @Test
    @Order(Integer.MAX_VALUE)
    void jobsOfAKilledReplicaMoveToTheOther() throws Exception {
        String sweep = "/api/v1/sweeps/"
                + json(one.post("/api/v1/sweeps", SWEEP)).required("id").asString();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ids.add(submit(one, longSearch(1_000)));
        }
        while (workers().stream().distinct().count() < 2) {
            Thread.sleep(20);
        }

        one.kill();
        for (String id : ids) {
            assertThat(awaitEnd(other, id).required("status").asString()).isEqualTo("succeeded");
        }
        while (!json(other.get(sweep)).required("status").asString().equals("succeeded")) {
            Thread.sleep(20);
        }
        assertThat(other.get(sweep + "/cells", "application/x-ndjson").body().lines())
                .extracting(row -> row.replaceFirst("^\\{\"cell\":(\\d+),.*", "$1"))
                .containsExactlyElementsOf(
                        IntStream.range(0, 200).mapToObj(Integer::toString).toList());
    }

    @Test
    void theQueueLimitHoldsForConcurrentPostersOnBothReplicas() throws Exception {
        String first = submit(one, longSearch(1_000_000));
        String second = submit(one, longSearch(1_000_000));
        awaitStatus(one, first, "running");
        awaitStatus(one, second, "running");
        for (int i = 0; i < CAPACITY - 20; i++) {
            submit(one, shortSearch(1000));
        }

        List<HttpResponse<String>> answers =
                concurrently(64, 64, i -> replica(i).post(OPTIMIZATIONS, shortSearch(2000 + i)));

        assertThat(answers.stream().filter(answer -> answer.statusCode() == 202))
                .hasSize(20);
        assertThat(answers.stream().filter(answer -> answer.statusCode() == 429))
                .hasSize(44)
                .allSatisfy(answer -> assertThat(Long.parseLong(
                                answer.headers().firstValue("Retry-After").orElseThrow()))
                        .isPositive());
        assertThat(count(one, "queued")).isEqualTo(CAPACITY);
    }

    @Test
    void concurrentPostsWithFiftyKeysMakeFiftyJobs() throws Exception {
        String run = UUID.randomUUID().toString();

        List<HttpResponse<String>> answers =
                concurrently(POSTS, 100, i -> answered(replica(i), shortSearch(1000 + i % 50), run + i % 50));

        assertThat(answers)
                .allSatisfy(answer ->
                        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202));
        assertThat(answers.stream()
                        .map(answer -> json(answer).required("id").asString())
                        .distinct())
                .hasSize(50);
        try (var connections = TestDatabase.connect(database)) {
            assertThat(JdbcClient.create(connections)
                            .sql("SELECT COUNT(*) FROM optimization_job WHERE idempotency_key LIKE :run")
                            .param("run", run + "%")
                            .query(Integer.class)
                            .single())
                    .isEqualTo(50);
        }
    }

    /// Posts until it is answered: with a key one may ask again. A hundred callers on a busy machine may wait for a
    /// connection to the database for longer than they are kept waiting, and come back to a connection of their own
    /// that the service has closed.
    private static HttpResponse<String> answered(ServiceProcess replica, String request, String key)
            throws InterruptedException {
        while (true) {
            try {
                HttpResponse<String> answer = replica.post(OPTIMIZATIONS, request, "Idempotency-Key", key);
                if (answer.statusCode() != 503) {
                    return answer;
                }
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("received no bytes");
            }
        }
    }

    /// The searches would take hours.
    @Test
    void cancellingFromTheOtherReplicaTakesEffect() throws Exception {
        String first = submit(one, longSearch(1_000_000));
        String second = submit(one, longSearch(1_000_000));
        awaitStatus(one, first, "running");
        awaitStatus(one, second, "running");
        // One of the two runs on the other replica, whichever is asked.
        assertThat(one.post(OPTIMIZATIONS + "/" + first + "/cancel", "").statusCode())
                .isEqualTo(202);
        assertThat(one.post(OPTIMIZATIONS + "/" + second + "/cancel", "").statusCode())
                .isEqualTo(202);
        for (String id : List.of(first, second)) {
            assertThat(awaitEnd(one, id).required("status").asString()).isEqualTo("cancelled");
        }
    }

    @Test
    void aWaitEndsWhenAnotherReplicaHasRunTheJob() throws Exception {
        String blocker = submit(one, longSearch(1_000_000));
        awaitStatus(one, blocker, "running");

        List<HttpResponse<String>> answers =
                concurrently(2, 2, i -> replica(i).post(OPTIMIZATIONS, shortSearch(3000 + i), "Prefer", "wait=60"));

        assertThat(answers).allSatisfy(answer -> assertThat(answer.statusCode()).isEqualTo(200));
        assertThat(job(one, blocker).required("status").asString()).isEqualTo("running");
    }

    private ServiceProcess replica(int i) {
        return i % 2 == 0 ? one : other;
    }

    /// Names of the schedulers that hold entries of the queue.
    private List<String> workers() {
        try (var connections = TestDatabase.connect(database)) {
            return JdbcClient.create(connections)
                    .sql("SELECT picked_by FROM scheduled_tasks WHERE picked AND task_name = 'optimization'")
                    .query((row, _) -> row.getString("picked_by"))
                    .list();
        }
    }

    private interface Call {
        HttpResponse<String> send(int number) throws IOException, InterruptedException;
    }

    private static List<HttpResponse<String>> concurrently(int calls, int threads, Call call) throws Exception {
        List<Callable<HttpResponse<String>>> callers = IntStream.range(0, calls)
                .<Callable<HttpResponse<String>>>mapToObj(i -> () -> call.send(i))
                .toList();
        List<HttpResponse<String>> answers = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (Future<HttpResponse<String>> answer : pool.invokeAll(callers)) {
                answers.add(answer.get());
            }
        }
        return answers;
    }
}
