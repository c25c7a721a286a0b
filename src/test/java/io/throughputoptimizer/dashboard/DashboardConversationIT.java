package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import org.junit.jupiter.api.Test;

/// Turns of conversations, a third kind of lengths.
class DashboardConversationIT extends BrowserTest {

    @Test
    void theFormAsksForTurnsInsteadOfLengthsAndRowsSayWhatTheCacheKeeps() {
        try (Visit visit = visit().open("/")) {
            assertThat(visit.field("Input length")).isVisible();
            visit.page().locator("[name='length-kind'][value=turns]").check();
            assertThat(visit.field("Input length")).isHidden();
            assertThat(visit.field("Prefix cache hit rate")).isHidden();
            visit.page().locator("#turns").fill("4");
            visit.field("Tokens added in a turn").fill("300");
            visit.field("Tokens generated in a turn").fill("200");
            visit.field("Seconds between turns").fill("10");
            assertThat(visit.page().locator("#plan-words"))
                    .containsText("conversations of 4 turns, 300 tokens added and 200 generated in each");

            // Pairs serve them on measured devices alone: by the reference the lengths come back.
            visit.page().locator("[name='/cost_model'][value=calibrated]").check();
            visit.page().locator("[name='/mode'][value=pd_ratio]").check();
            assertThat(visit.page().locator("[name='length-kind'][value=turns]"))
                    .isChecked();
            visit.page().locator("[name='/cost_model'][value=analytic]").check();
            assertThat(visit.page().locator("[name='length-kind'][value=turns]"))
                    .isDisabled();
            assertThat(visit.field("Input length")).isVisible();

            visit.page().locator("[name='/mode'][value=aggregation]").check();
            visit.page().locator("[name='length-kind'][value=turns]").check();
            visit.run();
            assertThat(visit.page().locator("#job-view")).containsText("Cache hits");
        }
    }
}
