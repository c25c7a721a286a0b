package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// Bodies that stall before their last byte hold what has come of them, within a budget that callers share.
@TestPropertySource(
        properties = {
            "optimizer.http.maximum-body=64KB",
            "optimizer.http.maximum-bodies=1MB",
            "optimizer.http.body-timeout=20m",
            "optimizer.http.retry-after=1s",
            "optimizer.security.requests-per-minute=0"
        })
@Timeout(600)
@EveryNight
class BodySharesIT extends SecuredTest {
    private static final int STALLED = 200;
    private static final int BYTES = 60_000;
    /// Four fifths of the budget: more bodies of one caller are not held.
    private static final int MOST_HELD = (1 << 20) * 4 / 5 / BYTES;

    @LocalServerPort
    private int port;

    @Test
    void manyBodiesThatStallAreRefusedWhileAnotherCallerIsServed() throws Exception {
        String hostile = key(Role.SUBMIT);
        List<RawExchange> exchanges = new ArrayList<>();
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        try {
            for (int i = 0; i < STALLED; i++) {
                RawExchange exchange = stalled(hostile);
                exchanges.add(exchange);
                Thread.ofVirtual().start(() -> hear(exchange, answers));
            }
            for (int refused = 0; refused < STALLED - MOST_HELD; refused++) {
                assertThat(answers.take()).startsWith("HTTP/1.1 429").contains("\nRetry-After: 1\n");
            }

            jsonAs(hostile, " ".repeat(BYTES))
                    .post(OPTIMIZATIONS)
                    .then()
                    .statusCode(429)
                    .contentType("application/problem+json")
                    .body("type", equalTo("urn:throughput-optimizer:problem:bodies-busy"));
            String other = key(Role.SUBMIT);
            jsonAs(other, PREFILL).post(OPTIMIZATIONS).then().statusCode(202);
            jsonAs(other, " ".repeat(64 * 1024)).post(OPTIMIZATIONS).then().statusCode(400);
        } finally {
            for (RawExchange exchange : exchanges) {
                exchange.close();
            }
        }
        // As long as was said.
        TimeUnit.SECONDS.sleep(1);
        for (int time = 0; time < 2 * MOST_HELD; time++) {
            jsonAs(hostile, " ".repeat(BYTES)).post(OPTIMIZATIONS).then().statusCode(400);
        }
    }

    private RawExchange stalled(String key) throws IOException {
        RawExchange exchange = new RawExchange(port);
        exchange.send("POST " + OPTIMIZATIONS + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer " + key + "\r\nContent-Length: " + (BYTES + 1) + "\r\n\r\n"
                + " ".repeat(BYTES));
        return exchange;
    }

    /// Adds the lines of the answer up to its body, if there is one.
    private static void hear(RawExchange exchange, BlockingQueue<String> answers) {
        StringBuilder head = new StringBuilder();
        try {
            for (String line = exchange.line(); !line.isEmpty(); line = exchange.line()) {
                head.append(line).append('\n');
            }
        } catch (IOException _) {
            // Closed by the test.
        }
        answers.add(head.toString());
    }
}
