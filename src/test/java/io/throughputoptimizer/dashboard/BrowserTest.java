package io.throughputoptimizer.dashboard;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Visits the running service's dashboard with a real browser.
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
abstract class BrowserTest {
    private static @Nullable Chromium chromium;

    @LocalServerPort
    private int port;

    @BeforeAll
    static void launch() {
        chromium = Chromium.launch();
    }

    @AfterAll
    static void quit() {
        if (chromium != null) {
            chromium.close();
        }
    }

    /// A fresh visitor.
    Visit visit() {
        return visit(Look.LIGHT);
    }

    Visit visit(Look look) {
        return Objects.requireNonNull(chromium).visit(port, look);
    }
}
