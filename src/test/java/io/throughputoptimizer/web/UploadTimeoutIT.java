package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.GatedSearch;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// Clients send the beginning of a body and then nothing: Tomcat's timeout ends the upload.
@EveryNight
@TestPropertySource(properties = "server.tomcat.connection-timeout=1s")
@GatedSearches
@Timeout(600)
class UploadTimeoutIT extends HttpTest {
    private static final String LENGTH = "Content-Length: 100000";
    private static final String GIVEN_UP = "^(HTTP/1\\.1 408 |$)";
    private static final String CHUNKED = "Transfer-Encoding: chunked";
    private static final String REQUEST = " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

    @Autowired
    private GatedSearch search;

    @LocalServerPort
    private int port;

    @Test
    void endsAnUploadThatStalls() throws Exception {
        assertThat(atOnce(List.of(LENGTH, CHUNKED), framing -> {
                    try (RawExchange half = begun("POST /api/v1/optimizations", framing)) {
                        return half.rest();
                    }
                }))
                .allSatisfy((_, answer) -> assertThat(answer).containsPattern(GIVEN_UP));
    }

    /// Makes one exchange for each framing, all at the same time.
    private static Map<String, String> atOnce(List<String> kinds, Exchange exchange) throws Exception {
        Map<String, Future<String>> begun = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            kinds.forEach(kind -> begun.put(kind, threads.submit(() -> exchange.answer(kind))));
        }
        Map<String, String> answers = new LinkedHashMap<>();
        for (Map.Entry<String, Future<String>> one : begun.entrySet()) {
            answers.put(one.getKey(), one.getValue().get());
        }
        return answers;
    }

    private interface Exchange {
        String answer(String kind) throws Exception;
    }

    @Test
    void ignoresTheBodyOfAGet() throws IOException {
        assertThat(RawExchange.answer(
                        port, "GET /api/v1/models" + REQUEST + "Transfer-Encoding: chunked", "", "0", "", ""))
                .startsWith("HTTP/1.1 200 ");
    }

    /// Both last twice as long as the timeout.
    @Test
    void keepsAWaitingPostAndAnEventStream() throws Exception {
        String followed = json(PREFILL).post(OPTIMIZATIONS).then().extract().path("id");
        try (RawExchange stream = new RawExchange(port);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> post = threads.submit(() -> optimize(PREFILL).body("status", equalTo("succeeded")));
            stream.send("GET " + OPTIMIZATIONS + "/" + followed + "/events" + REQUEST + "Connection: close\r\n\r\n");
            Thread.sleep(Duration.ofSeconds(2));
            search.release();
            search.release();
            assertThat(stream.rest()).contains("event:progress").contains("event:finished");
            post.get();
        }
    }

    @Test
    void keepsTheConnectionAfterAnUnreadBody() throws IOException {
        try (RawExchange exchange = new RawExchange(port)) {
            exchange.send("POST /api/v1/nothing" + REQUEST + "Content-Length: 4\r\n\r\nbody");
            exchange.send("GET /actuator/health/liveness" + REQUEST + "Connection: close\r\n\r\n");
            assertThat(exchange.rest()).contains("404").contains("HTTP/1.1 200").contains("\"UP\"");
        }
    }

    @Test
    void answersOthersWhileManyUploadsStall() throws IOException {
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
}
