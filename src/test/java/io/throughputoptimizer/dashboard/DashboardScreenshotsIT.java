package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Pictures of the dashboard's main states. They go to `target/dashboard-images`; `dashboard-hero-*.png` in
/// `docs/images` are renewed with
///
/// ```
/// ./mvnw verify -Pnightly -Dit.test=DashboardScreenshotsIT
/// cp target/dashboard-images/dashboard-hero-*.png docs/images
/// ```
@EveryNight
class DashboardScreenshotsIT extends HeldSearchTest {
    private static final Page.ScreenshotOptions TOP =
            new Page.ScreenshotOptions().setFullPage(true).setClip(0, 0, 1280, 1250);
    private static final Path FOLDER = Path.of("target", "dashboard-images");

    @BeforeAll
    static void makeFolder() throws IOException {
        Files.createDirectories(FOLDER);
    }

    /// The plan of README.md.
    @ParameterizedTest
    @EnumSource
    void theForm(Look look) throws IOException {
        try (Visit visit = visit(look).openSettings()) {
            visit.field("TTFT target (ms)").fill("1000");
            visit.field("TPOT target (ms)").fill("30");
            visit.page().locator("#settings-toggle").click();
            assertThat(visit.page().locator("#plan-words")).containsText("Qwen/Qwen3-32B on 8 × H100_SXM");
            assertThat(visit.page().locator("#view")).containsText("at most 82 requests each");
            assertThat(visit.page().locator(".other-mode")).containsText("tokens/s");
            shoot(visit, "form", look);
            if (look != Look.NARROW) {
                Path hero = FOLDER.resolve("dashboard-hero-" + look.fileSuffix() + ".png");
                SmallPicture.write(visit.page().screenshot(TOP), hero);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theResult(Look look) throws IOException {
        try (Visit visit = visit(look)) {
            visit.openJob(visit.askForId(Questions.onH100(Questions.AGGREGATED_WITHIN_LIMITS)));
            visit.field("Chart").selectOption("Throughput by TPOT");
            assertThat(visit.page().locator(".phase > .chart-card .chart canvas"))
                    .isVisible();
            shoot(visit, "result", look);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theResultOnSilicon(Look look) throws IOException {
        try (Visit visit = visit(look)) {
            visit.openJob(visit.askForId(Questions.SILICON));
            visit.page()
                    .locator(".simulation-form")
                    .getByLabel("Random range ratio")
                    .fill("0.8");
            visit.page().locator(".simulation-form button").click();
            assertThat(visit.page().locator(".timeline canvas").first()).isVisible();
            visit.field("Chart").selectOption("Throughput by TPOT");
            assertThat(visit.page().locator(".phase > .chart-card .chart canvas"))
                    .isVisible();
            shoot(visit, "silicon", look);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theRunningSearch(Look look) throws IOException {
        try (Visit visit = visit(look)) {
            runHeld(visit, "Decode instances");
            passes().holdAfter(30);
            assertThat(progress(visit)).containsText("35 batch sizes tried");
            shoot(visit, "running", look);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theComparison(Look look) throws IOException {
        try (Visit visit = visit(look)) {
            String first = visit.askForId(Questions.onH100(Questions.PREFILL));
            String second = visit.askForId(Questions.onH100(Questions.PREFILL_HALF_CACHED));
            visit.open("/compare/" + first + "," + second);
            assertThat(visit.page().locator(".chart canvas").first()).isVisible();
            shoot(visit, "comparison", look);
        }
    }

    private static void shoot(Visit visit, String state, Look look) throws IOException {
        visit.assertFitsTheWidth();
        Path file = FOLDER.resolve("dashboard-" + state + "-" + look.fileSuffix() + ".png");
        SmallPicture.write(visit.page().locator("body").screenshot(), file);
        assertThat(file).isNotEmptyFile();
    }
}
