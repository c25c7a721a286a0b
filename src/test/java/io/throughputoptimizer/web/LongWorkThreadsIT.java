package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.throughputoptimizer.catalog.ModelHub;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.LocalServer;
import io.throughputoptimizer.web.bound.LongWorkThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

/// Who looks at long requests, seen while they ask a hub for a model, which is one of the test's own and lets them wait
/// as long as the test looks, and who at long results. Virtual threads are not among those that the virtual machine
/// lists.
@TestPropertySource(properties = "server.tomcat.max-connections=10000")
@Timeout(600)
@EveryNight
class LongWorkThreadsIT extends HttpTest {
    private static final String MODEL = "Someone/Missing";
    /// A row for each of many batch sizes.
    private static final String LARGE = """
            {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8, "dump_original_results": true,
             "workload": {"input_length": 100, "output_length": 1500}, "slo": {"ttft_ms": 60000, "tpot_ms": 1000},
             "search": {"strategy": "exhaustive", "batch_range": [1, 200]}}""";

    private static final List<Map.Entry<String, String>> FORMS = List.of(
            Map.entry("", "application/json"),
            Map.entry("?points=true", "application/json"),
            Map.entry("/result", "application/json"),
            Map.entry("/result", "text/plain"),
            Map.entry("/result", "text/csv"),
            Map.entry("/curves", "application/json"),
            Map.entry("/curves", "text/plain"),
            Map.entry("/launch?engine=vllm", "text/plain"),
            Map.entry("/launch/engines", "application/json"));

    private static final Semaphore ASKED = new Semaphore(0);
    private static final Semaphore SEEN = new Semaphore(0);
    private static final HttpServer HUB = LocalServer.start("/", LongWorkThreadsIT::answer);

    @TempDir
    private static Path folder;

    private final HttpClient client = from("127.0.0.1");
    private final HttpClient other = from("127.0.0.2");

    @LocalServerPort
    private int port;

    private static HttpClient from(String address) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .localAddress(InetAddress.ofLiteral(address))
                .build();
    }

    @DynamicPropertySource
    static void hub(DynamicPropertyRegistry settings) {
        settings.add("optimizer.hub.url", () -> LocalServer.url(HUB) + "/");
        settings.add("optimizer.hub.folder", () -> folder);
        settings.add("optimizer.hub.timeout", () -> "1m");
    }

    @AfterAll
    static void stop() {
        HUB.stop(0);
    }

    @ParameterizedTest
    @CsvSource({"0, false", "4096, true"})
    void longRequestsAreJudgedByThreadsOfTheirOwn(int spaces, boolean own) throws Exception {
        for (Map.Entry<String, String> request : Map.of(
                        OPTIMIZATIONS,
                        PREFILL.replace("Qwen/Qwen3-8B", MODEL),
                        "/api/v1/estimates",
                        """
                        {"model_id": "%s", "device": "TEST_DEVICE",
                         "pass": {"phase": "decode", "concurrency": 1, "query_len": 1, "seq_len": 100}}""".formatted(MODEL),
                        "/api/v1/simulations",
                        """
                        {"model_id": "%s", "device": "H100_SXM", "engine": {"backend": "vllm"},
                         "quantization": {"scheme": "FP8"}, "parallel": {"tp": 2},
                         "workload": {"input_length": 2000, "output_length": 500}, "traffic": {"concurrency": 32}}""".formatted(MODEL))
                .entrySet()) {
            CompletableFuture<HttpResponse<String>> answer = post(request.getKey(), request.getValue(), spaces);
            ASKED.acquire();
            List<String> judges = threadsThatAskTheHub();
            SEEN.release();

            assertThat(judges)
                    .as(request.getKey())
                    .hasSize(own ? 1 : 0)
                    .allMatch(name -> name.startsWith("long-work-"));
            assertThat(answer.get().statusCode()).isEqualTo(400);
            assertThat(answer.get().body()).contains("/model_id", "unknown model");
        }
    }

    /// Whoever has no turn any more reads no long result either, in any form; short results, and others, are answered.
    @EveryNight
    @Test
    void longResultsAreReadByThreadsOfTheirOwn() throws Exception {
        String small = succeeded(PREFILL);
        String large = succeeded(LARGE);
        List<CompletableFuture<HttpResponse<String>>> requests = new ArrayList<>();
        for (int request = 0; request < LongWorkThreads.PLACES; request++) {
            requests.add(post(OPTIMIZATIONS, PREFILL.replace("Qwen/Qwen3-8B", MODEL), LongWorkThreads.LONGEST_SHORT));
        }
        ASKED.acquire();
        CompletableFuture.anyOf(requests.toArray(CompletableFuture[]::new)).join();

        for (Map.Entry<String, String> form : FORMS) {
            assertThat(get(client, small + form.getKey(), form.getValue()).statusCode())
                    .isEqualTo(200);
            HttpResponse<String> refused = get(client, large + form.getKey(), form.getValue());
            assertThat(refused.statusCode()).as(form.toString()).isEqualTo(429);
            assertThat(refused.body()).contains("requests-busy");
            assertThat(get(other, large + form.getKey(), form.getValue()).statusCode())
                    .as(form.toString())
                    .isEqualTo(200);
        }
        HttpResponse<String> accepted = submit(LARGE);
        assertThat(accepted.statusCode()).isEqualTo(202);
        assertThat(accepted.headers().firstValue("Location")).isPresent();
        assertThat(get(client, "/actuator/health", "application/json").statusCode())
                .isEqualTo(200);

        SEEN.release(requests.size());
        requests.forEach(CompletableFuture::join);
        assertThat(get(client, large + "/result", "text/csv").statusCode()).isEqualTo(200);
        ASKED.drainPermits();
        SEEN.drainPermits();
    }

    private String succeeded(String body) throws Exception {
        HttpResponse<String> answer = submit(body);
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.headers().firstValue("Location").orElseThrow();
    }

    private HttpResponse<String> submit(String body) throws Exception {
        return client.send(
                request(OPTIMIZATIONS)
                        .header("Content-Type", "application/json")
                        .header("Prefer", "wait=60")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> get(HttpClient caller, String path, String accepted) throws Exception {
        return caller.send(request(path).header("Accept", accepted).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private CompletableFuture<HttpResponse<String>> post(String path, String body, int spaces) {
        return client.sendAsync(
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body + " ".repeat(spaces)))
                        .build(),
                BodyHandlers.ofString());
    }

    private static List<String> threadsThatAskTheHub() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> Arrays.stream(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().equals(ModelHub.class.getName())))
                .map(thread -> thread.getKey().getName())
                .toList();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        ASKED.release();
        SEEN.acquireUninterruptibly();
        exchange.sendResponseHeaders(404, -1);
        exchange.close();
    }
}
