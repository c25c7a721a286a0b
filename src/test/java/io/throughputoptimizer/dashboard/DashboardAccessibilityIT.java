package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The dashboard's main states under axe-core, in light, dark and narrow.
@EveryNight
class DashboardAccessibilityIT extends BrowserTest {
    private static final List<String> QUESTIONS = List.of(
            Questions.AGGREGATED,
            Questions.MIXED_PREFILL,
            Questions.PD_RATIO,
            Questions.INFEASIBLE,
            Questions.THREE_DEVICES);

    @Test
    void theFormHasNoBarriers() {
        try (Visit visit = visit().openSettings().expectRefusal()) {
            visit.startFrom("Mixed prompt lengths");
            unfoldAll(visit);
            visit.assertNoBarriers();
            visit.button("Edit copy").click();
            visit.field("TTFT target (ms)").fill("-1");
            visit.field("From tokens, bin 2").fill("100");
            visit.run();
            assertThat(visit.page().locator("#plan-problem")).isVisible();
            visit.assertNoBarriers();
        }
    }

    @Test
    void noModeOfTheFormHasBarriers() {
        try (Visit visit = visit().openSettings()) {
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");
            unfoldAll(visit);
            for (Locator model : visit.page().locator("[name='/cost_model']").all()) {
                model.check();
                for (Locator mode :
                        visit.page().locator("[name='/mode']:enabled").all()) {
                    mode.check();
                    unfoldAll(visit);
                    visit.assertNoBarriers();
                }
            }
        }
    }

    @Test
    void resultsHaveNoBarriers() {
        try (Visit visit = visit()) {
            for (String question : QUESTIONS) {
                visit.openJob(visit.askForId(question));
                unfoldAll(visit);
                visit.assertNoBarriers();
            }
        }
    }

    @Test
    void listAndComparisonHaveNoBarriers() {
        try (Visit visit = visit()) {
            String first = visit.askForId(Questions.PREFILL);
            String second = visit.askForId(Questions.DECODE);
            visit.open("/jobs");
            assertThat(visit.page().locator(".jobs li").first()).isVisible();
            visit.assertNoBarriers();
            visit.open("/compare/" + first + "," + second);
            assertThat(visit.page().getByLabel("Requests", new Page.GetByLabelOptions().setExact(true)))
                    .isVisible();
            visit.assertNoBarriers();
        }
    }

    private static void unfoldAll(Visit visit) {
        Locator folded = visit.page().locator("details:not([open]) > summary:visible");
        while (folded.count() > 0) {
            folded.first().click();
        }
    }
}
