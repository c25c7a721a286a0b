package io.throughputoptimizer.dashboard;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Visits the running service's dashboard with a real browser; skipped where none is installed.
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
abstract class BrowserTest {
    /// Long enough for a machine that does other things too; what holds already is not waited for.
    static final double LONGEST_WAIT_MILLIS = 300_000;

    /// One for all classes: it takes longer to start than most tests do.
    private static final Optional<Chromium> CHROMIUM = Chromium.launch();

    @LocalServerPort
    private int port;

    @BeforeAll
    static void waitLong() {
        PlaywrightAssertions.setDefaultAssertionTimeout(LONGEST_WAIT_MILLIS);
    }

    /// Before each test, so that each is reported as skipped.
    @BeforeEach
    void needChromium() {
        assumeTrue(CHROMIUM.isPresent(), "no Chromium on the PATH: apt-get install chromium-headless-shell");
    }

    /// A fresh visitor.
    Visit visit() {
        return visit(Look.LIGHT);
    }

    Visit visit(Look look) {
        return CHROMIUM.orElseThrow().visit(port, look);
    }
}
