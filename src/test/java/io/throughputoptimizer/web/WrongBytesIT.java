package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.restassured.response.Response;
import io.throughputoptimizer.fixture.RawHttp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Bytes that no caller should send are refused with what is wrong, wherever they stand.
class WrongBytesIT extends HttpTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String HEADERS = "Host: localhost\r\nConnection: close\r\n";
    private static final String POST =
            "POST " + OPTIMIZATIONS + " HTTP/1.1\r\n" + HEADERS + "Content-Type: application/json\r\n";

    @LocalServerPort
    private int port;

    @ParameterizedTest
    @ValueSource(
            strings = {
                OPTIMIZATIONS,
                "/api/v1/devices",
                "/actuator/health",
                "/v3/api-docs",
                "/",
                "/nothing",
                "/swagger-ui/index.html"
            })
    void aQueryThatCannotBeDecodedIsRefusedEverywhere(String path) throws IOException {
        for (String value : List.of("%ff", "%zz", "%c3", "%")) {
            RawHttp.Answer answer = get(path + "?limit=1&status=" + value, "");

            assertThat(answer.status()).as(value).isEqualTo(400);
            assertThat(answer.body())
                    .contains("\"parameter\":\"status\",\"detail\":\"status must be percent-encoded, as UTF-8.\"");
        }
    }

    @Test
    void aFormIsNotTakenWhateverItsBytes() throws IOException {
        RawHttp.Answer answer = raw("POST " + OPTIMIZATIONS + " HTTP/1.1\r\n" + HEADERS
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5\r\n\r\na=%ff");

        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.head()).containsIgnoringCase("content-type: application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "gzip", "deflate", "zstd", "GZip", "gzip, identity", "nonsense"})
    void aCompressedBodyIsNotTaken(String encoding) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(PREFILL.getBytes(StandardCharsets.UTF_8));
        }

        api().contentType("application/json")
                .header("Content-Encoding", encoding)
                .body(compressed.toByteArray())
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(415)
                .contentType("application/problem+json")
                .header("Accept-Encoding", "identity")
                .body(
                        "detail",
                        equalTo("Content-Encoding " + encoding + " is not supported. Send the body uncompressed."));
    }

    @Test
    void aBodyAsItIsIsTaken() {
        api().contentType("application/json")
                .header("Content-Encoding", "identity")
                .body("\uFEFF{\"devices\": [\"H100_SXM\"]}".getBytes(StandardCharsets.UTF_8))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/model_id"));
    }

    /// Neither JSON nor YAML has the parameter: bodies are UTF-8, whatever it says.
    @ParameterizedTest
    @ValueSource(strings = {"utf-16", "iso-8859-1", "utf-32le"})
    void bodiesAreUtf8WhateverContentTypeSays(String charset) {
        String type = "application/json;charset=" + charset;
        String body = "{\"model_id\": \"\u00e9\", \"devices\": [\"H100_SXM\"]}";

        api().header("Content-Type", type)
                .body(body.getBytes(Charset.forName(charset)))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo(""));
        api().header("Content-Type", type)
                .body(body.getBytes(StandardCharsets.UTF_8))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/model_id"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json;charset=nonsense",
                "garbage",
                "*/*",
                "application/json; x=\"",
                "a/b",
                "multipart/form-data"
            })
    void aContentTypeThatIsNotTakenSaysWhichAre(String type) throws IOException {
        RawHttp.Answer answer = raw("POST " + OPTIMIZATIONS + " HTTP/1.1\r\n" + HEADERS + "Content-Type: " + type
                + "\r\nContent-Length: 2\r\n\r\n{}");

        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.body()).contains("allowed: application/json, application/yaml");
    }

    static Stream<Arguments> bytesThatAreNoText() {
        return Stream.of(
                Arguments.of("{\"a\": 1}".getBytes(StandardCharsets.UTF_16), "is not UTF-8 text: byte 1 is wrong"),
                Arguments.of(new byte[] {'{', '"', (byte) 0xff, '"'}, "is not UTF-8 text: byte 3 is wrong"),
                Arguments.of(new byte[] {'{', '"', (byte) 0xc3}, "is not UTF-8 text: byte 3 is wrong"),
                Arguments.of(
                        new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'},
                        "is not UTF-8 text: byte 2 is wrong"));
    }

    @ParameterizedTest
    @MethodSource("bytesThatAreNoText")
    void bytesThatAreNoTextAreCounted(byte[] body, String message) {
        for (String type : List.of("application/json", "application/yaml")) {
            api().contentType(type)
                    .body(body)
                    .post(OPTIMIZATIONS)
                    .then()
                    .statusCode(400)
                    .body("errors[0].pointer", equalTo(""))
                    .body("errors[0].detail", containsString(message));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"model_config\": {\"a\": [\"\\ud800\"]}}", "{\"model_config\": {\"a\": [\"x\\udc00y\"]}}"})
    void halfACharacterIsRefusedAtItsPlace(String request) {
        for (Response answer :
                List.of(json(request).post(OPTIMIZATIONS), yaml(request).post(OPTIMIZATIONS))) {
            answer.then().statusCode(400).body("errors[0].pointer", equalTo("/model_config/a/0"));
        }
    }

    static Stream<Arguments> refusedByTheServer() {
        return Stream.of(
                Arguments.of("GET /api/v1/devices/%ff HTTP/1.1\r\n" + HEADERS + "\r\n", 400, "address"),
                Arguments.of("GET /api/v1/devices/\u00ff HTTP/1.1\r\n" + HEADERS + "\r\n", 400, "percent-encoded"),
                Arguments.of("GET /api/v1/devices/%00 HTTP/1.1\r\n" + HEADERS + "\r\n", 400, "address"),
                Arguments.of(
                        "GET / HTTP/1.1\r\n" + HEADERS + "X: " + "a".repeat(20_000) + "\r\n\r\n", 400, "longer than"),
                Arguments.of("GET /?" + "a".repeat(20_000) + " HTTP/1.1\r\n" + HEADERS + "\r\n", 400, "longer than"),
                Arguments.of("GET / HTTP/1.1\r\n" + HEADERS + "X: a\r\n".repeat(300) + "\r\n", 400, "more headers"),
                Arguments.of("GET / HTTP/1.1\r\n" + HEADERS + "X Y: a\r\n\r\n", 400, "A header is malformed"),
                Arguments.of("GET / HTTP/1.1\r\n" + HEADERS + "X: a\u0001\r\n\r\n", 400, "A header is malformed"),
                Arguments.of("GET / HTTP/1.1\r\n" + HEADERS + "X\r\n\r\n", 400, "A header is malformed"),
                Arguments.of("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "Host header"),
                Arguments.of("GET / HTTP/1.1\r\nHost: a\r\n" + HEADERS + "\r\n", 400, "Host header"),
                Arguments.of("GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400, "Host header"),
                Arguments.of("BLAH\r\n\r\n", 400, "request line"),
                Arguments.of("G\u0001T / HTTP/1.1\r\n\r\n", 400, "request line"),
                Arguments.of("\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n", 400, "request line"),
                Arguments.of("GET / FOO\r\n" + HEADERS + "\r\n", 400, "request line"),
                Arguments.of("GET / HTTP/1.2\r\n" + HEADERS + "\r\n", 505, "Use HTTP/1.1"),
                Arguments.of("CONNECT / HTTP/1.1\r\n" + HEADERS + "\r\n", 501, "is not supported"),
                Arguments.of(POST + "Transfer-Encoding: foo\r\n\r\n", 501, "Transfer-Encoding"),
                Arguments.of(POST + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400, "Content-Length"),
                Arguments.of(POST + "Content-Length: -2\r\n\r\n{}", 400, "Content-Length"),
                Arguments.of(POST + "Content-Length: x\r\n\r\n{}", 400, "Content-Length"),
                Arguments.of(POST + "Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}", 417, "100-continue"),
                Arguments.of(POST + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", 400, "body"),
                Arguments.of(POST + "Content-Length: 200\r\n\r\n{}", 400, "body"),
                Arguments.of("GET /index.html HTTP/1.1\r\n" + HEADERS + "Range: bytes=9999999-\r\n\r\n", 416, "range"));
    }

    @ParameterizedTest
    @MethodSource("refusedByTheServer")
    void whatTheServerRefusesIsSaidInWords(String request, int status, String words) throws IOException {
        RawHttp.Answer answer = raw(request);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.head()).containsIgnoringCase("content-type: application/problem+json");
        assertThat(answer.body()).contains("\"status\":" + status).contains(words);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                OPTIMIZATIONS,
                "/api/v1/devices",
                "/actuator/health",
                "/v3/api-docs",
                "/",
                "/swagger-ui/index.html"
            })
    void headHasNoBodyAndOptionsListsMethods(String path) throws IOException {
        RawHttp.Answer head = raw("HEAD " + path + " HTTP/1.1\r\n" + HEADERS + "\r\n");
        RawHttp.Answer options = raw("OPTIONS " + path + " HTTP/1.1\r\n" + HEADERS + "\r\n");

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(options.status()).isEqualTo(200);
        assertThat(options.head()).containsPattern("Allow: .*GET").containsPattern("Allow: .*HEAD");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "BREW", "TRACE", "get", "PROPFIND"})
    void anotherMethodIsNotAllowedAnywhere(String method) throws IOException {
        for (String path : List.of(OPTIMIZATIONS, "/api/v1/estimates", "/actuator/health", "/v3/api-docs", "/")) {
            RawHttp.Answer answer = raw(method + " " + path + " HTTP/1.1\r\n" + HEADERS + "\r\n");

            assertThat(answer.status()).as(path).isEqualTo(405);
            assertThat(answer.head())
                    .contains("Allow: ")
                    .containsIgnoringCase("content-type: application/problem+json");
            assertThat(answer.body()).contains("Allow header");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api", "/api/v1", "/api/v1/nothing", "/actuator/nothing", "/actuator/health/nothing",
                "/actuator/prometheus/x", "/v3/nothing", "/swagger-ui/nothing", "/dashboard/nothing", "/error"
            })
    void whatIsNotThereIsAProblem(String path) throws IOException {
        for (String accept : List.of("", "Accept: */*\r\n", "Accept: application/json, text/html\r\n")) {
            RawHttp.Answer answer = get(path, accept);

            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.head()).containsIgnoringCase("content-type: application/problem+json");
            assertThat(answer.body()).contains("There is nothing at ");
        }
    }

    @Test
    void anOldClientIsAnswered() throws IOException {
        assertThat(raw("GET /api/v1/devices HTTP/1.0\r\n\r\n").status()).isEqualTo(200);
    }

    private RawHttp.Answer get(String path, String header) throws IOException {
        return raw("GET " + path + " HTTP/1.1\r\n" + HEADERS + header + "\r\n");
    }

    private RawHttp.Answer raw(String request) throws IOException {
        return new RawHttp(port, PATIENCE).send(request);
    }
}
