package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.BoundingBox;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The plan page in windows of different widths.
@EveryNight
class DashboardWindowIT extends BrowserTest {
    private static final int HEIGHT = 900;

    private static final String SCROLLING_PARTS = """
            [...document.querySelectorAll("main *")]
              .filter((node) => /auto|scroll/.test(getComputedStyle(node).overflowY) && node.scrollHeight > node.clientHeight + 1 && node.clientHeight > 0)
              .map((node) => node.className)""";
    private static final String LAYOUT_SHIFT = """
            () => new Promise((shown) => new PerformanceObserver((list) =>
              shown(list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput).reduce((sum, { value }) => sum + value, 1e-9)))
                .observe({ type: "layout-shift", buffered: true }))""";

    @Test
    void theCardsFitOneScreenWithoutAForm() {
        try (Visit visit = ready(visit())) {
            assertThat(visit.page().locator("#settings")).isHidden();
            for (String card : List.of(".headline", ".frontier-card canvas", ".launch pre", ".layouts-card")) {
                BoundingBox box = box(visit, card);
                assertThat(box.y + box.height).as(card).isLessThan(HEIGHT);
            }
            assertThat(visit.page().evaluate(SCROLLING_PARTS)).isEqualTo(List.of());
        }
    }

    @Test
    void aWideWindowIsUsed() {
        try (Visit visit = ready(visit())) {
            visit.page().setViewportSize(1920, 1080);
            assertThat(box(visit, ".plan-cards").width).isGreaterThan(1700);
            visit.assertFitsTheWidth();
        }
    }

    @Test
    void aPhoneShowsTheAnswerFirstAndTheStripAtItsEdge() {
        try (Visit visit = ready(visit(Look.NARROW))) {
            assertThat(box(visit, ".banner").height).isLessThan(60);
            assertThat(box(visit, ".headline").y).isLessThan(HEIGHT).isLessThan(box(visit, ".frontier-card").y);
            visit.page().locator("#plan-words .part[data-opens=tpot]").click();
            BoundingBox strip = box(visit, "#strip");

            assertThat(strip.y + strip.height).isEqualTo(HEIGHT);
            assertThat(visit.page().evaluate(SCROLLING_PARTS)).isEqualTo(List.of());
        }
    }

    @ParameterizedTest
    @MethodSource("plans")
    void aPhoneShowsTheAnswerOfASavedPlanBeforeItsButtons(String question) {
        try (Visit visit = visit(Look.NARROW)) {
            visit.openJob(visit.askForId(question));
            double answer = box(visit, "#job-view .hero").y;

            assertThat(answer)
                    .isLessThan(HEIGHT / 2.0)
                    .isGreaterThan(box(visit, "#job-view .job-heading").y)
                    .isLessThan(box(visit, "#job-view .actions").y)
                    .isLessThan(box(visit, "#job-view .other-model").y);
            visit.assertFitsTheWidth();
            visit.assertNoBarriers();
        }
    }

    private static List<String> plans() {
        return List.of(Questions.SILICON, Questions.PD_RATIO, Questions.INFEASIBLE);
    }

    @Test
    void littleMovesWhileThePageLoads() {
        try (Visit visit = ready(visit())) {
            assertThat(visit.page().locator(".certainty p")).isVisible();
            assertThat((Double) visit.page().evaluate(LAYOUT_SHIFT)).isLessThan(0.05);
        }
    }

    private static Visit ready(Visit visit) {
        visit.open("/");
        assertThat(visit.liveAnswer()).containsText("Run 4 instances");
        assertThat(visit.page().locator(".launch pre")).containsText("vllm serve");
        return visit;
    }

    private static BoundingBox box(Visit visit, String selector) {
        Locator part = visit.page().locator(selector).first();
        return part.boundingBox();
    }
}
