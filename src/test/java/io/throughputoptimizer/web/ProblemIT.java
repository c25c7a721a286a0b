package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.restassured.response.Response;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Whatever goes wrong, the answer is `application/problem+json`.
class ProblemIT extends HttpTest {
    private static final int LONGEST_BODY = 1024 * 1024;

    @LocalServerPort
    private int port;

    static Stream<String> brokenJson() {
        return Stream.of(
                "",
                " ",
                "null",
                "{",
                "{\"model_id\": }",
                "[]",
                "\"text\"",
                "17",
                "{} {}",
                "{\"model_id\": \"a\", \"model_id\": \"b\"}",
                "{\"slo\": {\"ttft_ms\": NaN}}",
                "{\"model_config\": " + "[".repeat(2000) + "]".repeat(2000) + "}",
                "{\"num_devices\": " + "9".repeat(5000) + "}",
                "\u0000");
    }

    @ParameterizedTest
    @MethodSource("brokenJson")
    void brokenJsonIsRefused(String body) {
        assertProblem(json(body).post(OPTIMIZATIONS), 400);
    }

    static Stream<String> brokenYaml() {
        return Stream.of(
                "",
                "model_id: [",
                "model_id: a\nmodel_id: b",
                "- 1\n- 2",
                "just text",
                "\tmodel_id: a",
                "model_id: *nowhere",
                "num_devices: eight",
                "num_devices: '8'",
                "slo: {ttft_ms: .nan}",
                "serving: {reserved_memory_gb: .inf}",
                "a: &a [x]\nmodel_config: {b: *a}",
                "--- {}\n--- {}");
    }

    @ParameterizedTest
    @MethodSource("brokenYaml")
    void brokenYamlIsRefused(String body) {
        assertProblem(yaml(body).post(OPTIMIZATIONS), 400);
    }

    @Test
    void aliasesInYamlAreNotMultiplied() {
        String bomb = Stream.of("b: [*a,*a,*a,*a,*a,*a,*a,*a,*a]", "c: [*b,*b,*b,*b,*b,*b,*b,*b,*b]")
                .map(line -> line.replaceFirst("(.): ", "$1: &$1 "))
                .collect(Collectors.joining("\n  ", "model_config:\n  a: &a [x,x,x,x,x,x,x,x,x]\n  ", "\n"));

        assertProblem(yaml(bomb).post(OPTIMIZATIONS), 400);
    }

    @Test
    void bytesThatAreNoTextAreRefused() {
        byte[] bytes = {'{', '"', (byte) 0xff, (byte) 0xfe, '"', ':', '1', '}'};

        assertProblem(api().contentType("application/json").body(bytes).post(OPTIMIZATIONS), 400);
    }

    @Test
    void aMalformedRequestSaysWhere() {
        json("{\"model_id\": \"a\",\n  oops}")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo(""))
                .body("errors[0].detail", containsString("line 2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/xml", "application/cbor"})
    void otherContentIsNotSupported(String contentType) {
        assertProblem(
                api().contentType(contentType)
                        .body("x".getBytes(StandardCharsets.UTF_8))
                        .post(OPTIMIZATIONS),
                415);
    }

    @Test
    void formsAreNotSupported() {
        assertProblem(api().formParam("model_id", "a").post(OPTIMIZATIONS), 415);
    }

    @Test
    void otherAnswersAreNotAcceptable() {
        assertProblem(api().accept("image/png").get("/api/v1/devices"), 406);
        assertProblem(api().accept("application/yaml").get("/api/v1/devices"), 406);
    }

    @Test
    void otherMethodsAreNotAllowed() {
        assertProblem(api().put(OPTIMIZATIONS), 405);
        assertProblem(api().delete("/api/v1/devices"), 405);
        assertThat(api().put(OPTIMIZATIONS).header("Allow")).contains("GET", "POST");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/nothing",
                "/api/v2/devices",
                "/nothing",
                "/api/v1/devices/NOTHING",
                "/api/v1/models/Qwen/nothing",
                "/api/v1/models/Qwen",
                "/api/v1/length-distributions/nothing",
                "/error"
            })
    void whatDoesNotExistIsNotFound(String path) {
        assertProblem(api().get(path), 404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/devices/a|b", "/api/v1/models/Qwen%2FQwen3-8B", "/api/v1/devices/%zz"})
    void pathsThatTheServerRefusesAreProblemsToo(String path) throws IOException {
        String answer = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 400")
                .containsIgnoringCase("content-type: application/problem+json")
                .contains("\"status\":400");
    }

    @Test
    void withoutAnAcceptHeaderTheAnswerIsJson() throws IOException {
        String answer = raw("GET /api/v1/devices/TEST_DEVICE HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200").containsIgnoringCase("content-type: application/json");
    }

    @Test
    void aBodyOfTheLongestLengthIsRead() {
        assertProblem(json(" ".repeat(LONGEST_BODY)).post(OPTIMIZATIONS), 400);
    }

    @Test
    void aLongerBodyIsTooLargeWhateverItsSyntax() {
        Response refusal = json(" ".repeat(LONGEST_BODY + 1)).post(OPTIMIZATIONS);

        assertProblem(refusal, 413);
        assertThat(refusal.<String>path("detail")).contains("1048576");
        assertProblem(yaml("#".repeat(LONGEST_BODY + 1)).post(OPTIMIZATIONS), 413);
        assertProblem(json(" ".repeat(LONGEST_BODY + 1)).post("/api/v1/estimates"), 413);
    }

    @Test
    void aLongerBodyInChunksIsTooLargeToo() throws Exception {
        byte[] body = " ".repeat(LONGEST_BODY + 1).getBytes(StandardCharsets.UTF_8);
        HttpRequest chunked = HttpRequest.newBuilder(URI.create("http://localhost:" + port + OPTIMIZATIONS))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                .build();

        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(chunked, HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(413);
            assertThat(answer.body()).contains("body-too-large");
        }
    }

    private static void assertProblem(Response answer, int status) {
        answer.then().statusCode(status).contentType("application/problem+json").body("status", equalTo(status));
        assertThat(answer.<String>path("type")).isNotBlank();
        assertThat(answer.<String>path("title")).isNotBlank();
        assertThat(answer.<String>path("detail")).isNotBlank();
        assertThat(answer.asString()).doesNotContain("Exception").doesNotContain("io.throughputoptimizer");
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket("localhost", port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            return reader.lines().collect(Collectors.joining("\n"));
        }
    }
}
