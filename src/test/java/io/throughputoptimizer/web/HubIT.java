package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.LocalServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// Models that the catalogue lacks come from a hub, which is one of the test's own.
class HubIT extends HttpTest {
    private static final String CONFIG = config();
    private static final Queue<String> ASKED = new ConcurrentLinkedQueue<>();
    private static final HttpServer ELSEWHERE = LocalServer.start("/", exchange -> answer(exchange, 200, CONFIG));
    private static final HttpServer HUB = LocalServer.start("/", HubIT::asHub);

    @TempDir
    private static Path folder;

    @DynamicPropertySource
    static void hub(DynamicPropertyRegistry settings) {
        settings.add("optimizer.hub.url", () -> LocalServer.url(HUB) + "/hub");
        settings.add("optimizer.hub.folder", () -> folder);
        // On a busy machine too.
        settings.add("optimizer.hub.timeout", () -> "1m");
        settings.add("optimizer.hub.maximum-size", () -> "20KB");
    }

    @AfterAll
    static void stop() {
        HUB.stop(0);
        ELSEWHERE.stop(0);
    }

    @Test
    void aSearchHasTheFiguresOfTheSameConfigurationInTheCatalogue() {
        String known = optimize(PREFILL).extract().path("id");
        String fetched = optimize(named("Someone/Fetched")).extract().path("id");

        assertThat(report(fetched, "text/csv"))
                .isEqualTo(report(known, "text/csv").replace("Qwen/Qwen3-8B", "Someone/Fetched"));
    }

    @Test
    void aJobKeepsTheConfigurationThatItWasAskedWith() {
        optimize(named("Someone/Kept-By-Its-Job"))
                .body("request.model_id", equalTo("Someone/Kept-By-Its-Job"))
                .body("request.model_config.num_hidden_layers", equalTo(36));
    }

    @Test
    void whatWasFetchedOnceIsNotAskedForAgain() {
        optimize(named("Someone/Once"));
        optimize(named("Someone/Once"));
        json(estimate("Someone/Once")).post("/api/v1/estimates").then().statusCode(200);

        assertThat(ASKED)
                .filteredOn(path -> path.contains("/Someone/Once/"))
                .containsExactly(
                        "/hub/Someone/Once/resolve/main/config.json",
                        "/hub/Someone/Once/resolve/main/hf_quant_config.json");
        assertThat(folder.resolve("Someone").resolve("Once.json")).hasContent(CONFIG);
    }

    @Test
    void theHubMayRedirectToItself() {
        json(estimate("Someone/Moved")).post("/api/v1/estimates").then().statusCode(200);
        assertThat(ASKED).contains("/hub/Someone/There/resolve/main/config.json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Someone/Beside", "Someone/Beside-Shortest"})
    void whatStandsBesideSaysHowTheCheckpointIsQuantized(String id) {
        for (int time = 0; time < 2; time++) {
            JsonPath answer = json(quantizedAsItsCheckpoint(id))
                    .post("/api/v1/estimates")
                    .then()
                    .statusCode(200)
                    .extract()
                    .jsonPath();
            assertThat(answer.getString("checkpoint_quantization.method")).isEqualTo("modelopt");
            assertThat(answer.getString("checkpoint_quantization.linear")).isEqualTo("FP8");
        }
        assertThat(ASKED)
                .filteredOn(path -> path.contains(id + "/"))
                .containsExactly(
                        "/hub/" + id + "/resolve/main/config.json",
                        "/hub/" + id + "/resolve/main/hf_quant_config.json");
    }

    @Test
    void whatTheConfigurationSaysItselfIsNotLookedForBeside() {
        json(quantizedAsItsCheckpoint("Someone/Said"))
                .post("/api/v1/estimates")
                .then()
                .statusCode(200)
                .body("checkpoint_quantization.method", equalTo("fp8"));
        assertThat(ASKED).doesNotContain("/hub/Someone/Said/resolve/main/hf_quant_config.json");
    }

    @ParameterizedTest
    @CsvSource({
        "Someone/Else-Where, redirects its config.json elsewhere",
        "Someone/Round-And-Round, again and again",
        "Someone/Too-Long, is longer than 20480 bytes",
        "Someone/No-Object, is not a JSON object",
        "Someone/Twice, is not a JSON object",
        "Someone/Teapot, answered 418",
        "Someone/Beside-No-Object, its hf_quant_config.json at 127.0.0.1 is not a JSON object",
        "Someone/Beside-Too-Long, its hf_quant_config.json at 127.0.0.1 is longer than 20480 bytes",
        "Someone/Other-Family, /model_type",
        "Someone/Missing, unknown model",
        "Someone/Private, unknown model"
    })
    void whatCannotBeUsedIsRefusedByName(String id, String reason) {
        for (String path : List.of(OPTIMIZATIONS, "/api/v1/estimates")) {
            json(path.equals(OPTIMIZATIONS) ? named(id) : estimate(id))
                    .post(path)
                    .then()
                    .statusCode(400)
                    .body("errors[0].pointer", equalTo("/model_id"))
                    .body("errors[0].detail", containsString(reason));
        }
    }

    @EveryNight
    @ParameterizedTest
    @ValueSource(strings = {"Someone/Broken", "Someone/Beside-Broken"})
    void whatMayBeHadLaterIsToBeAskedForAgain(String id) {
        json(named(id))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(503)
                .header("Retry-After", "5")
                .body("type", equalTo("/problems/hub-unavailable"))
                .body("detail", containsString("127.0.0.1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../etc/passwd", "Someone/..", "Someone/a/b", "Someone", ".a/b", "/Someone/x"})
    void whatIsNoIdOfAHubIsNotAskedFor(String id) {
        int before = ASKED.size();
        json(estimate(id))
                .post("/api/v1/estimates")
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/model_id"));
        assertThat(ASKED).hasSize(before);
    }

    private static String named(String id) {
        return PREFILL.replace("Qwen/Qwen3-8B", id);
    }

    private static String estimate(String id) {
        return """
                {"model_id": "%s", "device": "TEST_DEVICE", "pass": {"phase": "decode", "concurrency": 1, "query_len": 1, "seq_len": 100}}""".formatted(id);
    }

    private static String quantizedAsItsCheckpoint(String id) {
        return estimate(id).replaceFirst("\\{", "{\"quantization\": {\"checkpoint\": true}, ");
    }

    private static void asHub(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        ASKED.add(path);
        if (path.endsWith("/hf_quant_config.json")) {
            besideAsHub(exchange, path);
            return;
        }
        switch (path.split("/", 5)[3]) {
            case "Moved" -> redirect(exchange, "/hub/Someone/There/resolve/main/config.json");
            case "Else-Where" -> redirect(exchange, LocalServer.url(ELSEWHERE) + "/");
            case "Round-And-Round" -> redirect(exchange, path);
            case "Too-Long" -> answer(exchange, 200, CONFIG + " ".repeat(20 * 1024));
            case "No-Object" -> answer(exchange, 200, "[1]");
            case "Twice" -> answer(exchange, 200, "{\"model_type\": \"qwen3\", \"model_type\": \"qwen2\"}");
            case "Teapot" -> answer(exchange, 418, "");
            case "Other-Family" -> answer(exchange, 200, "{\"model_type\": \"of-another-kind\"}");
            case "Missing" -> answer(exchange, 404, "");
            case "Private" -> answer(exchange, 401, "");
            case "Broken" -> answer(exchange, 500, "");
            case "Said" ->
                answer(
                        exchange,
                        200,
                        CONFIG.replaceFirst("\\{", "{\"quantization_config\": {\"quant_method\": \"fp8\"},"));
            default -> answer(exchange, 200, CONFIG);
        }
    }

    private static void besideAsHub(HttpExchange exchange, String path) throws IOException {
        switch (path.split("/", 5)[3]) {
            case "Beside" -> answer(exchange, 200, """
                    {"producer": {"name": "modelopt"},
                     "quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8", "exclude_modules": ["lm_head"]}}
                    """);
            case "Beside-Shortest" -> answer(exchange, 200, "{\"quantization\": {\"quant_algo\": \"FP8\"}}");
            case "Beside-No-Object" -> answer(exchange, 200, "\"quantization\"");
            case "Beside-Too-Long" -> answer(exchange, 200, " ".repeat(21 * 1024));
            case "Beside-Broken" -> answer(exchange, 500, "");
            default -> answer(exchange, 404, "");
        }
    }

    private static void redirect(HttpExchange exchange, String location) throws IOException {
        exchange.getResponseHeaders().add("Location", location);
        answer(exchange, 307, "");
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String config() {
        try (InputStream file = HubIT.class.getResourceAsStream("/catalog/models/Qwen--Qwen3-8B.json")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
