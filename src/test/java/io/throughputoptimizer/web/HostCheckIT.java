package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// Callers name the service in bytes of their choice.
@TestPropertySource(properties = "optimizer.http.allowed-hosts=planner.example")
@EveryNight
class HostCheckIT extends HttpTest {
    private static final String FOREIGN = "evil.example";

    @LocalServerPort
    private int port;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/index.html",
                "/dashboard/main.js",
                "/api/v1/models",
                "/api/v1/optimizations",
                "/api/v1/nothing",
                "/nothing",
                "/error",
                "/v3/api-docs",
                "/v3/api-docs/viewer",
                "/swagger-ui.html",
                "/swagger-ui/index.html",
                "/actuator",
                "/actuator/health",
                "/actuator/prometheus"
            })
    void aForeignNameIsMisdirectedOnEveryPath(String path) throws IOException {
        String answer = RawExchange.answer(port, "GET " + path + " HTTP/1.1", "Host: " + FOREIGN);

        assertThat(answer)
                .startsWith("HTTP/1.1 421 ")
                .contains("Content-Type: application/problem+json")
                .contains("/problems/unknown-host")
                .contains("allowed: 127.0.0.1, [::1], localhost, planner.example. ")
                .contains("X-Content-Type-Options: nosniff")
                .doesNotContain(FOREIGN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "DELETE", "OPTIONS", "HEAD", "PATCH"})
    void aForeignNameIsMisdirectedWithEveryMethod(String method) throws IOException {
        assertThat(RawExchange.answer(
                        port, method + " /api/v1/optimizations HTTP/1.1", "Host: " + FOREIGN, "Content-Length: 0"))
                .startsWith("HTTP/1.1 421 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "localhost:1",
                "LocalHost:8080",
                "localhost.",
                "localhost.:8080",
                "127.0.0.1",
                "127.0.0.1:8080",
                "[::1]",
                "[::1]:8080",
                "[0:0:0:0:0:0:0:1]",
                "planner.example",
                "PLANNER.example.:443"
            })
    void itsOwnNamesAreTakenInEverySpellingAndWithEveryPort(String host) throws IOException {
        assertThat(RawExchange.answer(port, "GET /actuator/health HTTP/1.1", "Host: " + host))
                .startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example:8080",
                "localhost.evil.example",
                "evil-localhost",
                "sub.planner.example",
                "planner.exampl",
                "127.0.0.1.evil.example",
                "127.0.0.2",
                "10.0.0.1",
                "0.0.0.0",
                "[::2]",
                "[::]",
                "localhost..",
                "."
            })
    void namesThatOnlyLookLikeItsOwnAreNotTaken(String host) throws IOException {
        assertThat(RawExchange.answer(port, "GET /actuator/health HTTP/1.1", "Host: " + host))
                .containsPattern("^HTTP/1\\.1 4(21|00) ");
    }

    static Stream<Arguments> malformed() {
        return Stream.of(
                Arguments.of("no Host", new String[] {"GET / HTTP/1.1"}),
                Arguments.of("an empty Host", new String[] {"GET / HTTP/1.1", "Host:"}),
                Arguments.of("two Hosts", new String[] {"GET / HTTP/1.1", "Host: localhost", "Host: " + FOREIGN}),
                Arguments.of("two Hosts", new String[] {"GET / HTTP/1.1", "Host: " + FOREIGN, "Host: localhost"}),
                Arguments.of("a list", new String[] {"GET / HTTP/1.1", "Host: localhost, " + FOREIGN}),
                Arguments.of("user information", new String[] {"GET / HTTP/1.1", "Host: localhost@" + FOREIGN}),
                Arguments.of("a path", new String[] {"GET / HTTP/1.1", "Host: localhost/" + FOREIGN}),
                Arguments.of("an open bracket", new String[] {"GET / HTTP/1.1", "Host: [::1"}),
                Arguments.of(
                        "a foreign target with a known Host",
                        new String[] {"GET http://" + FOREIGN + "/ HTTP/1.1", "Host: localhost"}),
                Arguments.of(
                        "a known target with a foreign Host",
                        new String[] {"GET http://localhost/ HTTP/1.1", "Host: " + FOREIGN}),
                Arguments.of(
                        "a foreign target and Host",
                        new String[] {"GET http://" + FOREIGN + "/ HTTP/1.1", "Host: " + FOREIGN}),
                Arguments.of("a foreign target of old", new String[] {"GET http://" + FOREIGN + "/ HTTP/1.0"}),
                Arguments.of("a foreign Host of old", new String[] {"GET / HTTP/1.0", "Host: " + FOREIGN}));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void whatIsNoNameOrContradictsItselfIsRefusedAsAProblem(String what, String[] lines) throws IOException {
        assertThat(RawExchange.answer(port, lines))
                .as(what)
                .containsPattern("^HTTP/1\\.1 4(21|00) ")
                .contains("application/problem+json")
                .doesNotContain(FOREIGN);
    }

    @Test
    void aKnownFullTargetIsServed() throws IOException {
        assertThat(RawExchange.answer(port, "GET http://localhost/actuator/health HTTP/1.1", "Host: localhost"))
                .startsWith("HTTP/1.1 200 ");
    }

    /// Load balancers look at health this way; browsers do not.
    @Test
    void oldClientsNeedNotNameAHost() throws IOException {
        assertThat(RawExchange.answer(port, "GET /actuator/health HTTP/1.0")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void forwardedNamesAreNeitherCheckedNorReflected() {
        for (String path : new String[] {"/v3/api-docs", "/v3/api-docs/viewer", "/swagger-ui.html"}) {
            assertThat(api().header("X-Forwarded-Host", FOREIGN)
                            .header("Forwarded", "host=" + FOREIGN)
                            .redirects()
                            .follow(false)
                            .get(path)
                            .then()
                            .extract()
                            .response())
                    .satisfies(answer ->
                            assertThat(answer.headers() + answer.asString()).doesNotContain(FOREIGN));
        }
        json(PREFILL)
                .header("X-Forwarded-Host", FOREIGN)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .header("Location", startsWith("/api/v1/optimizations/"));
    }

    @Test
    void thePageOfActuatorLinksIsOff() {
        api().get("/actuator").then().statusCode(404);
        api().get("/actuator/health").then().statusCode(200).body("status", equalTo("UP"));
    }
}
