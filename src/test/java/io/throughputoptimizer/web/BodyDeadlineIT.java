package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.throughputoptimizer.fixture.GatedSearch;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// Clients send the beginning of a body and then little or nothing; a connection that stays open ends in a timeout of
/// the reader, which fails the test.
@TestPropertySource(properties = "optimizer.http.body-timeout=1s")
@GatedSearches
@Timeout(600)
class BodyDeadlineIT extends HttpTest {
    private static final String LENGTH = "Content-Length: 100000";
    private static final String CHUNKED = "Transfer-Encoding: chunked";
    private static final String REQUEST = " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

    @Autowired
    private GatedSearch search;

    @LocalServerPort
    private int port;

    @ParameterizedTest
    @ValueSource(strings = {LENGTH, CHUNKED})
    void halfABodyIsGivenUp(String framing) throws IOException {
        try (RawExchange half = begun("POST /api/v1/optimizations", framing)) {
            assertThat(half.rest()).containsPattern("^(HTTP/1\\.1 408 |$)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {LENGTH, CHUNKED})
    void aBodyThatDripsIsGivenUp(String framing) throws Exception {
        try (RawExchange dripping = begun("POST /api/v1/estimates", framing)) {
            drip(dripping, framing);
            assertThat(dripping.rest()).containsPattern("^(HTTP/1\\.1 408 |$)");
        }
    }

    /// Answered at once, for nobody wants the body; the connection is not held by it either.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /api/v1/nothing",
                "PUT /api/v1/models",
                "DELETE /actuator/health",
                "DELETE /api/v1/optimizations/1",
                "HEAD /dashboard/main.js"
            })
    void aBodyThatNobodyReadsHoldsNoConnection(String line) throws Exception {
        try (RawExchange dripping = begun(line, LENGTH)) {
            drip(dripping, LENGTH);
            assertThat(dripping.rest()).startsWith("HTTP/1.1 ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/events"})
    void halfTheBodyOfAGetIsGivenUpBeforeItsAnswer(String part) throws Exception {
        search.release();
        String id = json(PREFILL).post(OPTIMIZATIONS).then().extract().path("id");
        try (RawExchange dripping = begun("GET " + OPTIMIZATIONS + "/" + id + part, LENGTH)) {
            drip(dripping, LENGTH);
            assertThat(dripping.rest()).isEmpty();
        }
    }

    @Test
    void theWholeBodyOfAGetMeansNothing() throws IOException {
        assertThat(RawExchange.answer(
                        port, "GET /api/v1/models" + REQUEST + "Transfer-Encoding: chunked", "", "0", "", ""))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void neitherAWaitingPostNorAnEventStreamIsCutShort() throws Exception {
        Thread slow = Thread.ofVirtual().start(() -> {
            search.awaitStart();
            LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
            search.release();
        });
        optimize(PREFILL).body("status", equalTo("succeeded"));
        slow.join();

        String next = json(PREFILL).post(OPTIMIZATIONS).then().extract().path("id");
        try (RawExchange stream = new RawExchange(port)) {
            stream.send("GET " + OPTIMIZATIONS + "/" + next + "/events" + REQUEST + "Connection: close\r\n\r\n");
            Thread.sleep(Duration.ofSeconds(2));
            search.release();
            assertThat(stream.rest()).contains("event:progress").contains("event:finished");
        }
    }

    @Test
    void anUnreadBodyThatArrivesLeavesTheConnectionUsable() throws IOException {
        try (RawExchange exchange = new RawExchange(port)) {
            exchange.send("POST /api/v1/nothing" + REQUEST + "Content-Length: 4\r\n\r\nbody");
            exchange.send("GET /actuator/health/liveness" + REQUEST + "Connection: close\r\n\r\n");
            assertThat(exchange.rest()).contains("404").contains("HTTP/1.1 200").contains("\"UP\"");
        }
    }

    @Test
    void othersAreAnsweredWhileManyBodiesAreAwaited() throws IOException {
        List<RawExchange> waiting = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                waiting.add(begun("POST /api/v1/optimizations", LENGTH));
            }
            api().get("/actuator/health").then().statusCode(200);
            search.release();
            optimize(PREFILL);
        } finally {
            for (RawExchange exchange : waiting) {
                exchange.close();
            }
        }
    }

    private RawExchange begun(String line, String framing) throws IOException {
        RawExchange exchange = new RawExchange(port);
        exchange.send(line + REQUEST + framing + "\r\n\r\n" + (framing.equals(CHUNKED) ? "1\r\n{\r\n" : "{"));
        return exchange;
    }

    /// Sends bytes far more often than the service loses its patience, until it has.
    private static void drip(RawExchange exchange, String framing) throws InterruptedException {
        try {
            for (int i = 0; i < 2_400; i++) {
                exchange.send(framing.equals(CHUNKED) ? "1\r\n \r\n" : " ");
                Thread.sleep(50);
            }
        } catch (IOException _) {
            return;
        }
        throw new AssertionError("two minutes of single bytes were taken");
    }
}
