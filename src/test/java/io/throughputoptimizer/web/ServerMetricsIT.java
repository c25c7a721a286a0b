package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.restassured.response.Response;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.metrics.MetricsVectors;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.LocalServer;
import io.throughputoptimizer.web.description.Examples;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Metrics of running servers over HTTP.
class ServerMetricsIT extends HttpTest {
    private static final String TEXT = "text/plain";
    private static final String METRICS = Examples.text("server-metrics.txt");
    private static final int FIFTY_MEGABYTES = 50 << 20;

    @LocalServerPort
    private int port;

    @Test
    void readsPlainAndCompressedMetrics() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
            stream.write(METRICS.getBytes(StandardCharsets.UTF_8));
        }
        for (byte[] body : new byte[][] {METRICS.getBytes(StandardCharsets.UTF_8), packed.toByteArray()}) {
            post(body, "text/plain; version=0.0.4", "")
                    .then()
                    .statusCode(200)
                    .body("read_as.window_s", equalTo(1200.0))
                    .body("requests.finished", equalTo(1300.0))
                    .body("lengths.input.mean", closeTo(3741.1, 0.01))
                    .body("latency.tpot_ms.from", equalTo("decode_time"))
                    .body("kv_cache.tokens_per_rank", equalTo(444_800))
                    .body("measured.usable", equalTo(true));
        }
    }

    @Test
    void readsAnswersOfPrometheus() {
        post(Examples.text("prometheus-answer.json").getBytes(StandardCharsets.UTF_8), "application/json", "")
                .then()
                .statusCode(200)
                .body("read_as.scrapes", equalTo(3))
                .body("workload.input_length", equalTo(3741))
                .body("rate_profile.size()", equalTo(1));
    }

    @Test
    void readsAWorkloadThatASearchTakes() {
        Map<String, Object> workload = post(METRICS.getBytes(StandardCharsets.UTF_8), TEXT, "")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath()
                .getMap("workload");

        api().contentType("application/json")
                .header("Prefer", "wait=600")
                .body(WireFormat.write(Map.of(
                        "model_id",
                        "Qwen/Qwen3-32B",
                        "devices",
                        List.of("H100_SXM"),
                        "num_devices",
                        2,
                        "cost_model",
                        "calibrated",
                        "engine",
                        Map.of("backend", "vllm"),
                        "quantization",
                        Map.of("scheme", "FP8"),
                        "workload",
                        workload)))
                .post("/api/v1/optimizations")
                .then()
                .statusCode(200)
                .body("status", equalTo("succeeded"));
    }

    /// The pipeline of the documentation, run by a shell with stored metrics of each server.
    @ParameterizedTest
    @ValueSource(
            strings = {"vllm-two-scrapes", "sglang-two-scrapes", "tgi", "trtllm", "dynamo-frontend", "llm-d-router"})
    void thePipelineOfTheDocumentationEndsInAPlan(String scrape) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")) && Files.isExecutable(Path.of("/usr/bin/jq")));
        byte[] metrics = MetricsVectors.named(scrape).body().getBytes(StandardCharsets.UTF_8);
        HttpServer server = LocalServer.start("/metrics", exchange -> {
            exchange.sendResponseHeaders(200, metrics.length);
            exchange.getResponseBody().write(metrics);
            exchange.close();
        });
        try {
            Process shell = new ProcessBuilder("bash", "-c", pipeline(LocalServer.url(server)))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String plan = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(shell.waitFor()).isZero();
            assertThat(plan).matches("\"\\d+ instances of .*H100_SXM.* serve .*\"\\R");
        } finally {
            server.stop(0);
        }
    }

    private String pipeline(String server) throws IOException {
        Matcher block = Pattern.compile("## Plan for its traffic\\s+```sh\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("docs", "how-to", "plan-from-a-server.md")));
        assertThat(block.find()).isTrue();
        assertThat(block.group(1).lines()).hasSize(3);
        return block.group(1).replace("http://SERVER:8000", server).replace("localhost:8080", "localhost:" + port);
    }

    @Test
    void readsMarksOfByteOrder() {
        post(("\uFEFF" + METRICS.replace("\n", "\r\n")).getBytes(StandardCharsets.UTF_8), TEXT, "")
                .then()
                .statusCode(200)
                .body("requests.finished", equalTo(1300.0));
    }

    @Test
    void rejectsOtherBodiesAndParameters() {
        rejects("", "must have metrics of vLLM");
        rejects("<html>down</html>", "must have metrics of vLLM");
        rejects(METRICS + METRICS, "two scrapes of server must not have the same time");
        post(METRICS.getBytes(StandardCharsets.UTF_8), TEXT, "?served_model=b")
                .then()
                .statusCode(400)
                .body("errors[0].parameter", equalTo("served_model"))
                .body("errors[0].detail", containsString("found: Qwen/Qwen3-32B"));
        post(METRICS.getBytes(StandardCharsets.UTF_8), TEXT, "?source=tgi&instances=0")
                .then()
                .statusCode(400)
                .body("errors[0].parameter", equalTo("instances"));
        post(METRICS.getBytes(StandardCharsets.UTF_8), "text/html", "").then().statusCode(415);
        post("vllm:x{a=\"b\" 1".getBytes(StandardCharsets.UTF_8), TEXT, "")
                .then()
                .statusCode(400)
                .contentType("application/problem+json")
                .body("errors[0]", not(hasKey("parameter")));
    }

    private void rejects(String text, String reason) {
        post(text.getBytes(StandardCharsets.UTF_8), TEXT, "")
                .then()
                .statusCode(400)
                .body("errors[0].detail", containsString(reason));
    }

    @EveryNight
    @Test
    @Timeout(300)
    void readsFiftyMegabytes() throws IOException, InterruptedException {
        assertThat(stream(FIFTY_MEGABYTES).statusCode()).isEqualTo(200);
        assertThat(stream(FIFTY_MEGABYTES + (1 << 20)).statusCode()).isEqualTo(413);
    }

    /// Posts 150 scrapes of at most so many bytes, without their length beforehand.
    private HttpResponse<String> stream(int most) throws IOException, InterruptedException {
        int series = most / 150 / 110;
        InputStream text = new SequenceInputStream(Collections.enumeration(IntStream.range(0, 150)
                .boxed()
                .flatMap(at -> Stream.of(scrape(at, series)))
                .map(part -> new ByteArrayInputStream(part.getBytes(StandardCharsets.UTF_8)))
                .toList()));
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + port + ServerController.METRICS))
                            .header("Content-Type", TEXT)
                            .POST(BodyPublishers.ofInputStream(() -> text))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    private static String scrape(int at, int series) {
        StringBuilder text =
                new StringBuilder("# scrape: ").append(1_790_000_000 + at).append('\n');
        while (series > 0 && text.length() < 110 * series - 120) {
            text.append("vllm:request_success_total{engine=\"")
                    .append(text.length())
                    .append("\",finished_reason=\"stop\",model_name=\"Qwen/Qwen3-32B\"} ")
                    .append(at)
                    .append(".0\n");
        }
        return text.toString();
    }

    private Response post(byte[] body, String type, String query) {
        return api().contentType(type).body(body).post(ServerController.METRICS + query);
    }
}
