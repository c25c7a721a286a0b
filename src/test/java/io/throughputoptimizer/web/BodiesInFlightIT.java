package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// Many callers send large bodies that stall before their last byte: the service holds no more of them than its bound.
@TestPropertySource(
        properties = {
            "optimizer.http.maximum-body=64KB",
            "optimizer.http.maximum-bodies=1MB",
            "optimizer.http.retry-after=1s",
            "server.tomcat.connection-timeout=20m"
        })
@Timeout(600)
class BodiesInFlightIT extends HttpTest {
    private static final int STALLED = 200;
    private static final int CALLERS = 20;
    private static final int BYTES = 60_000;
    private static final int HELD = (1 << 20) / BYTES;

    @LocalServerPort
    private int port;

    @Test
    void refusesBodiesBeyondTheBoundAndAcceptsThemOnceOthersAreAnswered() throws Exception {
        List<RawExchange> exchanges = new ArrayList<>();
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        try {
            for (int i = 0; i < STALLED; i++) {
                RawExchange exchange = stalled("127.0.0." + (1 + i % CALLERS));
                exchanges.add(exchange);
                Thread.ofVirtual().start(() -> readHead(exchange, answers));
            }
            for (int refused = 0; refused < STALLED - HELD; refused++) {
                assertThat(answers.take()).startsWith("HTTP/1.1 503").contains("\nRetry-After: 1\n");
            }

            json(" ".repeat(64 * 1024))
                    .post(OPTIMIZATIONS)
                    .then()
                    .statusCode(503)
                    .contentType("application/problem+json")
                    .header("Retry-After", "1")
                    .body("type", equalTo("/problems/bodies-busy"));
            api().get("/actuator/health").then().statusCode(200);
        } finally {
            for (RawExchange exchange : exchanges) {
                exchange.close();
            }
        }
        TimeUnit.SECONDS.sleep(1);
        for (int time = 0; time < 2 * HELD; time++) {
            json(" ".repeat(BYTES)).post(OPTIMIZATIONS).then().statusCode(400);
        }
    }

    private RawExchange stalled(String address) throws IOException {
        RawExchange exchange = new RawExchange(port, InetAddress.ofLiteral(address));
        exchange.send("POST " + OPTIMIZATIONS + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + (BYTES + 1) + "\r\n\r\n" + " ".repeat(BYTES));
        return exchange;
    }

    /// Adds the head of the answer, or an empty text if there is none.
    private static void readHead(RawExchange exchange, BlockingQueue<String> answers) {
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
