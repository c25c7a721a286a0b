package io.throughputoptimizer.web;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.LocalServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// A hub that says nothing, or never ends what it says.
@EveryNight
class SlowHubIT extends HttpTest {
    private static final CountDownLatch END = new CountDownLatch(1);
    private static final HttpServer HUB = LocalServer.start("/", SlowHubIT::answer);

    @TempDir
    private static Path folder;

    @DynamicPropertySource
    static void hub(DynamicPropertyRegistry settings) {
        settings.add("optimizer.hub.url", () -> LocalServer.url(HUB) + "/hub");
        settings.add("optimizer.hub.folder", () -> folder);
        settings.add("optimizer.hub.timeout", () -> "1s");
    }

    @AfterAll
    static void stop() {
        END.countDown();
        HUB.stop(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Someone/Silent", "Someone/Trickle"})
    void isToBeAskedAgainLater(String id) {
        json(PREFILL.replace("Qwen/Qwen3-8B", id))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(503)
                .header("Retry-After", "5")
                .body("type", equalTo("/problems/hub-unavailable"))
                .body("detail", containsString("127.0.0.1"));
    }

    private static void answer(HttpExchange exchange) throws IOException {
        if (exchange.getRequestURI().getPath().contains("/Trickle/")) {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
        }
        try {
            END.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
