package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Pictures of the dashboard's main states. They go to `target/dashboard-images`; those of the documentation are
/// renewed with
///
/// ```
/// ./mvnw verify -Dit.test=DashboardScreenshotsIT -Ddashboard.images=docs/images
/// ```
class DashboardScreenshotsIT extends BrowserTest {
    private static final Path FOLDER = Path.of(System.getProperty("dashboard.images", "target/dashboard-images"));

    @BeforeAll
    static void makeFolder() throws IOException {
        Files.createDirectories(FOLDER);
    }

    @ParameterizedTest
    @EnumSource
    void theForm(Look look) {
        try (Visit visit = visit(look).open("/")) {
            visit.startFrom("Mixed prompt lengths");
            assertThat(visit.page().locator("#distribution-histogram svg")).isVisible();
            shoot(visit, "form", look);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theResult(Look look) {
        try (Visit visit = visit(look)) {
            visit.openJob(visit.askForId(Questions.DECODE));
            visit.field("Chart").selectOption("Throughput over TPOT");
            shoot(visit, "result", look);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theComparison(Look look) {
        try (Visit visit = visit(look)) {
            String first = visit.askForId(Questions.PREFILL);
            String second = visit.askForId(Questions.PREFILL_HALF_CACHED);
            visit.open("/compare/" + first + "," + second);
            shoot(visit, "comparison", look);
        }
    }

    private static void shoot(Visit visit, String state, Look look) {
        if (!state.equals("form")) {
            assertThat(visit.page().locator(".chart canvas").first()).isVisible();
        }
        assertThat((Boolean) visit.page()
                        .evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
                .as("fits the width")
                .isTrue();
        Path file = FOLDER.resolve("dashboard-" + state + "-" + look.fileSuffix() + ".png");
        visit.page().screenshot(new Page.ScreenshotOptions().setPath(file).setFullPage(true));
        assertThat(file).isNotEmptyFile();
    }
}
