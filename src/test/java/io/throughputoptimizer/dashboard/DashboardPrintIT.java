package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.Media;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The dashboard on paper.
@EveryNight
class DashboardPrintIT extends BrowserTest {
    /// An upright A4 page between margins of a centimetre, at 96 dots an inch.
    private static final int PAPER_WIDTH = 718;

    private static final int PAPER_HEIGHT = 1046;

    private static final String CUT_OFF = """
            () => [...document.querySelectorAll("main *")]
              .filter((node) => node.getClientRects().length > 0 && node.closest(".visually-hidden") === null)
              .filter((node) => node.getBoundingClientRect().right > innerWidth + 1)
              .map((node) => node.tagName + "." + node.className)""";

    private static final String CLICKABLE =
            "main .actions, main .downloads, main button:not(.series-legend button), .banner nav, .picker, main input";

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void aResultIsWhiteAndWholeAndHasNothingToClick(Look look) {
        try (Visit visit = visit(look)) {
            for (String question : new String[] {Questions.AGGREGATED, Questions.SILICON, Questions.PD_RATIO}) {
                visit.openJob(visit.askForId(question));
                assertThat(visit.page().locator(".chart canvas").first()).isVisible();
                print(visit);

                assertThat(visit.page().locator(CLICKABLE + " >> visible=true")).hasCount(0);
                assertThat(visit.page().locator("main .table").first()).isVisible();
                assertThat(visit.page().evaluate(CUT_OFF)).as(question).isEqualTo(List.of());
                assertThat(visit.page().locator("body")).hasCSS("background-color", "rgb(255, 255, 255)");
                assertThat(visit.page().locator("h1:visible")).hasCSS("color", "rgb(23, 33, 29)");
                visit.page().emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.SCREEN));
                visit.page().setViewportSize(1280, 900);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void barsKeepTheirColours(Look look) {
        try (Visit visit = visit(look)) {
            visit.openJob(visit.askForId(Questions.AGGREGATED));
            print(visit);

            assertThat(visit.page().locator(".bar .part-1").first()).hasCSS("print-color-adjust", "exact");
            assertThat(visit.page().locator(".bar .part-1").first()).hasCSS("background-color", "rgb(47, 111, 149)");
        }
    }

    private static void print(Visit visit) {
        visit.page().setViewportSize(PAPER_WIDTH, PAPER_HEIGHT);
        visit.page().emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT));
    }
}
