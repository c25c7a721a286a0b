package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.GatedSearch;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// One address opens more connections than there are, each with half a request, which nothing but the room for
/// others ends.
@TestPropertySource(
        properties = {
            "server.tomcat.max-connections=101",
            "server.tomcat.connection-timeout=20m",
            "server.tomcat.keep-alive-timeout=20m"
        })
@GatedSearches
@Timeout(600)
@EveryNight
class SharedConnectionsIT extends HttpTest {
    private static final int OPENED = 300;
    private static final int OF_ONE_ADDRESS = 80;
    private static final String OTHER_ADDRESS = "127.0.0.2";
    private static final String HALF = "POST " + OPTIMIZATIONS + " HTTP/1.1\r\nHost: localhost\r\nX: ";
    private static final String ALIVE =
            "GET /actuator/health/liveness HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    @Autowired
    private GatedSearch search;

    @LocalServerPort
    private int port;

    @Test
    void halfRequestsOfOneAddressTakeNeitherOthersPlacesNorItsOwn() throws Exception {
        String job = json(PREFILL)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .extract()
                .path("id");
        search.awaitStart();
        List<RawExchange> exchanges = new ArrayList<>();
        BlockingQueue<String> ended = new LinkedBlockingQueue<>();
        try (RawExchange answered = new RawExchange(port)) {
            answered.send("GET " + OPTIMIZATIONS + "/" + job + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(answered.line()).startsWith("HTTP/1.1 200");
            for (int i = 0; i < OPENED; i++) {
                RawExchange half = new RawExchange(port);
                exchanges.add(half);
                Thread.ofVirtual().start(() -> ended.add(said(half)));
            }
            for (int end = 0; end < OPENED - OF_ONE_ADDRESS; end++) {
                assertThat(ended.take()).isEmpty();
            }

            try (RawExchange other = new RawExchange(port, InetAddress.getByName(OTHER_ADDRESS))) {
                other.send(ALIVE);
                assertThat(other.rest()).contains("HTTP/1.1 200").contains("\"UP\"");
            }
            assertThat(RawExchange.answer(port, ALIVE.strip().split("\r\n"))).contains("HTTP/1.1 200");
            search.release();
            assertThat(line(answered, "event:finished")).isEqualTo("event:finished");
        } finally {
            for (RawExchange exchange : exchanges) {
                exchange.close();
            }
        }
        api().get(OPTIMIZATIONS + "/" + job).then().statusCode(200).body("status", equalTo("succeeded"));
    }

    /// What half a request is told until its connection ends.
    private static String said(RawExchange half) {
        try {
            half.send(HALF);
            return half.rest();
        } catch (IOException _) {
            return "";
        }
    }

    /// Reads up to a line.
    private static String line(RawExchange exchange, String wanted) throws IOException {
        String line = exchange.line();
        while (!line.equals(wanted)) {
            line = exchange.line();
        }
        return line;
    }
}
