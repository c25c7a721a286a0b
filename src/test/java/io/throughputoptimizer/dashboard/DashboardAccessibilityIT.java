package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The dashboard's main states under axe-core, in light, dark and narrow.
class DashboardAccessibilityIT extends BrowserTest {
    @ParameterizedTest
    @EnumSource
    void theFormHasNoBarriers(Look look) {
        try (Visit visit = visit(look).open("/").expectRefusal()) {
            visit.startFrom("Mixed prompt lengths");
            unfoldAll(visit);
            visit.assertNoBarriers();
            visit.button("Edit a copy").click();
            visit.field("TTFT limit (ms)").fill("-1");
            visit.field("From tokens, bin 2").fill("100");
            visit.run();
            assertThat(visit.page().locator("#plan-problem")).isVisible();
            visit.assertNoBarriers();
        }
    }

    @ParameterizedTest
    @EnumSource
    void noModeOfTheFormHasBarriers(Look look) {
        try (Visit visit = visit(look).open("/")) {
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

    @ParameterizedTest
    @EnumSource
    void resultsHaveNoBarriers(Look look) {
        try (Visit visit = visit(look)) {
            for (String question : List.of(
                    Questions.AGGREGATED,
                    Questions.MIXED_PREFILL,
                    Questions.PD_RATIO,
                    Questions.INFEASIBLE,
                    Questions.THREE_DEVICES)) {
                visit.openJob(visit.askForId(question));
                unfoldAll(visit);
                visit.assertNoBarriers();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void listAndComparisonHaveNoBarriers(Look look) {
        try (Visit visit = visit(look)) {
            String first = visit.askForId(Questions.PREFILL);
            String second = visit.askForId(Questions.DECODE);
            visit.open("/jobs");
            assertThat(visit.page().locator(".jobs li").first()).isVisible();
            visit.assertNoBarriers();
            visit.open("/compare/" + first + "," + second);
            assertThat(visit.page().getByLabel("What was asked")).isVisible();
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
