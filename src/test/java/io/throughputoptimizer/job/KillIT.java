package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.fixture.BuiltIn;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.PostgresServer;
import io.throughputoptimizer.fixture.ServiceProcess;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Nothing that was accepted is lost, and nothing runs twice as far as callers can see, however often the process
/// is killed: once by day, five times every night.
@EveryNight
class KillIT {
    private static final int JOBS_A_KILL = 40;
    private static final int KILLS = Nightly.isNow() ? 5 : 1;
    private static final int JOBS = KILLS * JOBS_A_KILL;
    private static final int POSTERS = 4;
    private static final long SEED = 20_261_121;

    /// Results by request, without times; the same for every database.
    private static final ConcurrentMap<JsonNode, JsonNode> COMPUTED = new ConcurrentHashMap<>();

    private final AtomicReference<ServiceProcess> service = new AtomicReference<>();
    private final AtomicInteger kills = new AtomicInteger();
    private final RunOptimization direct = new RunOptimization(
            new ProblemReader(BuiltIn.CATALOGS, Long.MAX_VALUE),
            new Optimizer(new AnalyticForwardEstimator()),
            new AnalyticForwardEstimator());

    /// The only process of its database goes on at once: missed heartbeats would be noticed after hours only.
    @Test
    void everyAcceptedJobSucceedsOnceThoughTheServiceIsKilledAtRandomMoments(@TempDir Path folder) throws Exception {
        assertThatEveryAcceptedJobSucceedsOnce(folder, "optimizer.recovery.heartbeat=1h");
    }

    @Test
    void everyAcceptedJobSucceedsOnceOnPostgres(@TempDir Path folder) throws Exception {
        assertThatEveryAcceptedJobSucceedsOnce(
                folder, "optimizer.recovery.heartbeat=500ms", "spring.datasource.url=" + PostgresServer.newDatabase());
    }

    private void assertThatEveryAcceptedJobSucceedsOnce(Path folder, String... more) throws Exception {
        String[] settings = settings(more);
        Random random = new Random(SEED);
        ConcurrentMap<Integer, String> ids = new ConcurrentHashMap<>();
        try (ExecutorService posters = Executors.newFixedThreadPool(POSTERS)) {
            service.set(ServiceProcess.start(folder, settings));
            List<Future<@Nullable Void>> posting = new ArrayList<>();
            for (int poster = 0; poster < POSTERS; poster++) {
                int first = poster;
                posting.add(posters.submit(() -> postAll(first, ids)));
            }
            while (kills.get() < KILLS) {
                awaitWork(ids, JOBS_A_KILL * kills.get() + random.nextInt(JOBS_A_KILL));
                service.get().kill();
                service.set(ServiceProcess.start(folder, settings));
                kills.incrementAndGet();
            }
            for (Future<@Nullable Void> poster : posting) {
                poster.get();
            }

            assertThat(ids).hasSize(JOBS);
            for (int job = 0; job < JOBS; job++) {
                JsonNode end = ServiceClient.awaitEnd(service.get(), Objects.requireNonNull(ids.get(job)));
                assertThat(end.required("status").asString()).as(end::toString).isEqualTo("succeeded");
                assertThat(withoutTime(end.required("result"))).isEqualTo(computed(end));
            }
            assertThat(ServiceProcess.logged(folder)).contains("was interrupted");
            List<String> listed = listed();
            assertThat(listed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(ids.values());
        } finally {
            service.get().close();
        }
    }

    /// Until more jobs are accepted than a number, and one runs.
    private void awaitWork(ConcurrentMap<Integer, String> ids, int accepted) throws IOException, InterruptedException {
        while (ids.size() <= accepted
                || (ServiceClient.count(service.get(), "running") == 0
                        && ServiceClient.count(service.get(), "queued") > 0)) {
            Thread.sleep(5);
        }
    }

    private static String[] settings(String... more) {
        return Stream.concat(
                        Stream.of(
                                "optimizer.jobs.workers=2",
                                "optimizer.jobs.queue-capacity=" + 2 * JOBS,
                                "optimizer.recovery.attempts=100"),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    /// Posts some jobs before each kill. Every job has a request of its own, and a key, so that a post whose answer
    /// was lost can be sent again.
    private @Nullable Void postAll(int first, ConcurrentMap<Integer, String> ids) throws InterruptedException {
        for (int job = first; job < JOBS; job += POSTERS) {
            while (job / JOBS_A_KILL > kills.get()) {
                Thread.sleep(10);
            }
            while (!ids.containsKey(job)) {
                try {
                    HttpResponse<String> answer = service.get()
                            .post(ServiceClient.OPTIMIZATIONS, request(job), "Idempotency-Key", "job-" + job);
                    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
                    ids.put(job, ServiceClient.json(answer).required("id").asString());
                } catch (IOException serviceIsDown) {
                    Thread.sleep(50);
                }
            }
        }
        return null;
    }

    private static String request(int job) {
        return """
                {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 4, "mode": "aggregation",
                 "workload": {"input_length": %d, "output_length": 1500}, "slo": {"ttft_ms": 1e9, "tpot_ms": 1e9},
                 "search": {"tp_sizes": [1, 2, 4], "strategy": "exhaustive", "batch_range": [1, 150]}}""".formatted(20_000 + 7 * job);
    }

    private List<String> listed() throws IOException, InterruptedException {
        List<String> listed = new ArrayList<>();
        Set<String> cursors = new HashSet<>(Set.of(""));
        String query = "?limit=100";
        while (true) {
            JsonNode page = ServiceClient.json(service.get().get(ServiceClient.OPTIMIZATIONS + query));
            page.required("optimizations")
                    .forEach(job -> listed.add(job.required("id").asString()));
            String cursor = page.path("next_cursor").asString("");
            if (!cursors.add(cursor)) {
                return listed;
            }
            query = "?limit=100&cursor=" + cursor;
        }
    }

    private JsonNode computed(JsonNode job) {
        JsonNode request = job.required("request");
        JobRequest asked =
                new JobRequest(request.toString(), null, job.required("asked").toString(), null, null, false);
        return COMPUTED.computeIfAbsent(
                request,
                _ -> withoutTime(JsonMapper.shared()
                        .readTree(direct.apply(asked, SearchMonitor.SILENT).json())));
    }

    private static JsonNode withoutTime(JsonNode result) {
        ((ObjectNode) result.required("search")).remove("elapsed_ms");
        return result;
    }
}
