package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.LocalServer;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// Traces go to a collector, which is one of the test's own, once they are switched on.
@EveryNight
class TracingIT extends HttpTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final BlockingQueue<byte[]> RECEIVED = new LinkedBlockingQueue<>();
    private static final HttpServer COLLECTOR = LocalServer.start("/v1/traces", exchange -> {
        RECEIVED.add(exchange.getRequestBody().readAllBytes());
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    });

    @DynamicPropertySource
    static void traces(DynamicPropertyRegistry settings) {
        settings.add("management.tracing.export.enabled", () -> true);
        settings.add("management.tracing.sampling.probability", () -> 1);
        settings.add("management.opentelemetry.tracing.export.schedule-delay", () -> "100ms");
        settings.add(
                "management.opentelemetry.tracing.export.otlp.endpoint",
                () -> LocalServer.url(COLLECTOR) + "/v1/traces");
    }

    @AfterAll
    static void stop() {
        COLLECTOR.stop(0);
    }

    @Test
    void aSearchIsASpanThatNamesItsJob() throws InterruptedException {
        String id = optimize(PREFILL).extract().path("id");

        // Names and attributes are plain text in the message.
        String spans = received(id);
        assertThat(spans).contains("throughput-optimizer", "search", "job.id", "mode", "disaggregation", "outcome");
    }

    @Test
    void aRequestBelongsToTheTraceOfItsCaller() throws InterruptedException {
        api().header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
                .get("/api/v1/devices")
                .then()
                .statusCode(200);

        byte[] trace = new BigInteger(TRACE, 16).toByteArray();
        received(new String(trace, StandardCharsets.ISO_8859_1));
    }

    /// A message with this text in it.
    private static String received(String text) throws InterruptedException {
        StringBuilder all = new StringBuilder();
        while (all.indexOf(text) < 0) {
            byte[] message = RECEIVED.poll(10, TimeUnit.MINUTES);
            assertThat(message).as("a message with " + text).isNotNull();
            all.append(new String(message, StandardCharsets.ISO_8859_1));
        }
        return all.toString();
    }
}
