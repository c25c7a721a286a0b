package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.fixture.EveryNight;
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
import java.util.Collections;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Start-up logs over HTTP.
class EngineLogIT extends HttpTest {
    private static final String TEXT = "text/plain";
    private static final int FIFTY_MEGABYTES = 50 << 20;
    private static final String METRICS = "INFO 11-28 05:01:00 [loggers.py:248] Engine 000: Running: 1 reqs, GPU KV"
            + " cache usage: 0.6%, Prefix cache hit rate: 0.0%\n";

    @LocalServerPort
    private int port;

    @Test
    void readsPlainAndCompressedLogs() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
            stream.write(Examples.text("engine-log.txt").getBytes(StandardCharsets.UTF_8));
        }

        for (byte[] body :
                new byte[][] {Examples.text("engine-log.txt").getBytes(StandardCharsets.UTF_8), packed.toByteArray()}) {
            post(body, TEXT)
                    .then()
                    .statusCode(200)
                    .body("engine.version", equalTo("0.19.0"))
                    .body("engine.kv_tokens", equalTo(418_688))
                    .body("printed.memory_share", equalTo(0.95))
                    .body("model", equalTo("Qwen/Qwen3-8B"))
                    .body("started", equalTo(true));
        }
    }

    @Test
    void predictsTheMemoryThatALogPrints() {
        JsonPath log = predicted("?device=H100_SXM", 200).extract().jsonPath();

        assertThat(log.getDouble("predicted.kv_pool_gib")).isCloseTo(57.5, within(0.01));
        assertThat(log.getList("comparison.part", String.class))
                .containsExactly("weights_gib", "kv_pool_gib", "kv_tokens", "concurrency");
        assertThat(log.getDouble("comparison[2].predicted")).isEqualTo(418_688);
        assertThat(log.getDouble("comparison[2].error_percent")).isZero();
        assertThat(log.getList("warnings")).isEmpty();
        predicted("", 200)
                .body("$", not(hasKey("predicted")))
                .body("warnings", contains("No prediction: the log names no device. State device."));
        predicted("?device=RTX_4090&model_id=Qwen/Qwen3-14B&scheme=FP8", 200)
                .body("predicted.seen_gib", equalTo(23.64))
                .body("comparison[0].predicted", closeTo(15.2, 0.1));
    }

    @Test
    void rejectsUnknownNames() {
        predicted("?device=H100_SXMM&model_id=Qwen/Qwen3-8C&scheme=FP9", 400)
                .body("errors.parameter", contains("device", "model_id", "scheme"))
                .body("errors[0].detail", containsString("H100_SXM"))
                .body("errors[1].detail", containsString("Qwen/Qwen3-8B"));
    }

    @Test
    void readsSettingsThatAnEstimateTakes() {
        Map<String, Object> engine =
                predicted("?device=H100_SXM", 200).extract().jsonPath().getMap("engine");

        json(WireFormat.write(Map.of(
                        "model_id",
                        "Qwen/Qwen3-8B",
                        "device",
                        "H100_SXM",
                        "cost_model",
                        "calibrated",
                        "engine",
                        engine,
                        "quantization",
                        Map.of("scheme", "BF16"),
                        "parallel",
                        Map.of("tp", 1),
                        "pass",
                        Map.of("phase", "decode", "concurrency", 8, "query_len", 1, "seq_len", 4000))))
                .post("/api/v1/estimates")
                .then()
                .statusCode(200)
                .body("memory.kv_tokens", equalTo(418_688.0));
    }

    private ValidatableResponse predicted(String query, int status) {
        return api().contentType(TEXT)
                .body(Examples.text("engine-log.txt"))
                .post(EngineLogController.PATH + query)
                .then()
                .statusCode(status);
    }

    @Test
    void rejectsOtherBodies() {
        rejects("", "must not be empty");
        rejects("[nginx] ready\n", "must have lines of vLLM or SGLang, got none in 1");
        rejects("\u007FELF\0\0", "line 1 must not hold a zero byte");
        rejects(
                Examples.text("engine-log.txt") + "[2025-03-08 12:29:13 TP3] Load weight begin. avail mem=21.63 GB",
                "SGLang in line 7");
        post(new byte[] {'x'}, "application/json").then().statusCode(415).body("detail", containsString(TEXT));
        post(new byte[] {'x'}, "application/octet-stream").then().statusCode(415);
    }

    private void rejects(String log, String reason) {
        post(log.getBytes(StandardCharsets.UTF_8), TEXT)
                .then()
                .statusCode(400)
                .contentType("application/problem+json")
                .body("errors[0].detail", containsString(reason));
    }

    @EveryNight
    @Test
    @Timeout(120)
    void readsFiftyMegabytesAndNoMore() throws Exception {
        assertThat(stream(FIFTY_MEGABYTES).statusCode()).isEqualTo(200);
        assertThat(stream(FIFTY_MEGABYTES + METRICS.length()).statusCode()).isEqualTo(413);
    }

    /// A log of at most so many bytes, without its length beforehand.
    private HttpResponse<String> stream(int most) throws IOException, InterruptedException {
        byte[] start = Examples.text("engine-log.txt").getBytes(StandardCharsets.UTF_8);
        byte[] metrics = METRICS.getBytes(StandardCharsets.UTF_8);
        InputStream log = new SequenceInputStream(Collections.enumeration(Stream.concat(
                        Stream.of(start), Collections.nCopies((most - start.length) / metrics.length, metrics).stream())
                .map(ByteArrayInputStream::new)
                .toList()));
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + port + EngineLogController.PATH))
                            .header("Content-Type", TEXT)
                            .POST(BodyPublishers.ofInputStream(() -> log))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    private Response post(byte[] body, String type) {
        return api().contentType(type).body(body).post(EngineLogController.PATH);
    }
}
