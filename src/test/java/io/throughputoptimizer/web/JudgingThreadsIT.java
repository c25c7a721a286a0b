package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.throughputoptimizer.catalog.ModelHub;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// Who looks at requests, seen while they ask a hub for a model, which is one of the test's own and lets them wait as
/// long as the test looks. Virtual threads are not among those that the virtual machine lists.
class JudgingThreadsIT extends HttpTest {
    private static final String MODEL = "Someone/Missing";
    private static final Semaphore ASKED = new Semaphore(0);
    private static final Semaphore SEEN = new Semaphore(0);
    private static final HttpServer HUB = start();

    @TempDir
    private static Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void hub(DynamicPropertyRegistry settings) {
        settings.add(
                "optimizer.hub.url",
                () -> "http://127.0.0.1:" + HUB.getAddress().getPort() + "/");
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

            assertThat(judges).as(request.getKey()).hasSize(own ? 1 : 0).allMatch(name -> name.startsWith("judging-"));
            assertThat(answer.get().statusCode()).isEqualTo(400);
            assertThat(answer.get().body()).contains("/model_id", "unknown model");
        }
    }

    private CompletableFuture<HttpResponse<String>> post(String path, String body, int spaces) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
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

    private static HttpServer start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", JudgingThreadsIT::answer);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        ASKED.release();
        SEEN.acquireUninterruptibly();
        exchange.sendResponseHeaders(404, -1);
        exchange.close();
    }
}
