package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.RawHttp;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

class HealthPathIT extends HttpTest {
    private static final String HEALTH = "/actuator/health";

    @LocalServerPort
    private int port;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a",
                "/a/b",
                "/a/b/c/d",
                "/db/a",
                "/db/a/b",
                "/readiness/a",
                "/readiness/a/b",
                "/readiness/db/a/b",
                "/readiness/liveness/a",
                "/%20/%20",
                "/a;b=c/d",
                "/%E2%82%AC/b",
                "/a/b/",
                "/a?b=/c/d",
                "/a/b?c",
                "/.../...",
                "/../health/a/b",
                "/./a/./b",
                "/%2e%2e/health/a/b",
                "/*/**"
            })
    void aComponentThatThereIsNotIsNotFound(String path) throws IOException {
        RawHttp.Answer answer = get(HEALTH + path);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(404);
        assertThat(answer.header("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains("\"status\":404");
    }

    /// Ways up to what is none of health's, which nothing but a client of its own sends.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../..",
                "/../../",
                "/..",
                "/%2e%2e/%2e%2e",
                "/%2E%2E/..",
                "/.%2e/%2e.",
                "/..;/..;",
                "/..;a=b/..;",
                "/%2e%2e;/%2e%2e",
                "/%252e%252e/%252e%252e",
                "/..%2f..",
                "/..%2F..%2f",
                "/%2e%2e%2f%2e%2e",
                "/..%5c..",
                "/..\\..",
                "/%c0%ae%c0%ae/%c0%ae",
                "//..//..",
                "/a//b",
                "//a//b",
                "/a/%00",
                "/a/%ff"
            })
    void aWayUpIsNoFailureOfTheService(String path) throws IOException {
        RawHttp.Answer answer = get(HEALTH + path);

        assertThat(answer.status()).as(answer.toString()).isIn(200, 302, 400, 404);
        if (answer.status() >= 400) {
            assertThat(answer.header("Content-Type")).hasValue("application/problem+json");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/db", "/readiness", "/readiness/db", "/liveness"})
    void aComponentThatThereIsAnswers(String path) throws IOException {
        RawHttp.Answer answer = get(HEALTH + path);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).contains("\"status\":\"UP\"");
    }

    private RawHttp.Answer get(String path) throws IOException {
        return new RawHttp(port, Duration.ofMinutes(5))
                .send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }
}
