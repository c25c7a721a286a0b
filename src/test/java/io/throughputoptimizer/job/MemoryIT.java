package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ServiceClient.OPTIMIZATIONS;
import static io.throughputoptimizer.job.ServiceClient.awaitEnd;
import static io.throughputoptimizer.job.ServiceClient.json;
import static io.throughputoptimizer.job.ServiceClient.shortSearch;
import static io.throughputoptimizer.job.ServiceClient.submit;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.ServiceProcess;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A service with a heap of 512 MB lives through requests that ask for far more, and serves others meanwhile.
@EveryNight
class MemoryIT {
    private static final int AT_A_TIME = 4;

    /// What became of a giant request: its job at the end, and the answer to removing it.
    private record Outcome(JsonNode end, int removed) {}

    private interface Stop extends AutoCloseable {
        @Override
        void close();
    }

    @Test
    void giantRequestsEndInWordsWhileOthersAreServed(@TempDir Path folder) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        try (ServiceProcess service = ServiceProcess.startWithHeap("512m", folder, "optimizer.jobs.timeout=15s");
                ExecutorService callers = Executors.newFixedThreadPool(AT_A_TIME);
                ExecutorService others = Executors.newFixedThreadPool(2);
                Stop _ = () -> done.set(true)) {
            GiantRequests giants = new GiantRequests(json(service.get("/api/v1/devices/TEST_DEVICE")));
            assertThat(service.get("/actuator/health").statusCode()).isEqualTo(200);
            Future<Integer> healthy = others.submit(() -> countHealthy(service, done));
            List<Future<Outcome>> searches = giants.searches().values().stream()
                    .map(giant -> callers.submit(() -> search(service, giant)))
                    .toList();
            JsonNode ordinary = others.submit(() -> awaitEnd(service, submit(service, shortSearch(3500))))
                    .get();
            List<Outcome> outcomes = all(searches);
            List<HttpResponse<String>> priced = all(giants.estimates().stream()
                    .map(pass -> callers.submit(() -> service.post("/api/v1/estimates", pass)))
                    .toList());
            done.set(true);

            assertThat(ordinary.required("status").asString()).isEqualTo("succeeded");
            assertThat(outcomes).allSatisfy(MemoryIT::hasEndedInWords);
            assertThat(outcomes.stream().map(Outcome::end).map(MemoryIT::kind))
                    .contains("", "timed-out", "memory-budget");
            assertThat(priced).allSatisfy(pass -> {
                assertThat(pass.statusCode()).as(pass.body()).isEqualTo(200);
                assertThat(pass.body()).doesNotContain("NaN").doesNotContain("Infinity");
            });
            assertThat(healthy.get()).isGreaterThan(outcomes.size());
            JsonNode afterwards = awaitEnd(service, submit(service, shortSearch(3501)));
            assertThat(afterwards.required("status").asString()).isEqualTo("succeeded");
            assertThat(ServiceProcess.logged(folder)).doesNotContain("OutOfMemoryError");
        }
    }

    private static <T> List<T> all(List<Future<T>> tasks) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> task : tasks) {
            results.add(task.get());
        }
        return results;
    }

    private static void hasEndedInWords(Outcome outcome) {
        assertThat(outcome.removed).as(outcome.end::toString).isEqualTo(204);
        assertThat(kind(outcome.end)).isIn("", "timed-out", "memory-budget");
        assertThat(outcome.end.required("status").asString())
                .isEqualTo(kind(outcome.end).isEmpty() ? "succeeded" : "failed");
    }

    /// Last part of the type of a job's problem; empty without one.
    private static String kind(JsonNode job) {
        String type = job.path("problem").path("type").asString("");
        return type.substring(type.lastIndexOf('/') + 1);
    }

    private static Outcome search(ServiceProcess service, String giant) throws IOException, InterruptedException {
        String id = submit(service, giant);
        JsonNode end = awaitEnd(service, id);
        return new Outcome(end, service.delete(OPTIMIZATIONS + "/" + id).statusCode());
    }

    /// How often the service said that it is well; it never says anything else.
    private static int countHealthy(ServiceProcess service, AtomicBoolean done)
            throws IOException, InterruptedException {
        int healthy = 0;
        while (!done.get()) {
            assertThat(service.get("/actuator/health").statusCode()).isEqualTo(200);
            healthy++;
            Thread.sleep(50);
        }
        return healthy;
    }
}
