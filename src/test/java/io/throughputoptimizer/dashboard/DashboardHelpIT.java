package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The help shows pages of the docs, and headings explain their words.
@EveryNight
class DashboardHelpIT extends BrowserTest {
    @Test
    void theHelpIsAPageOfTheDocs() {
        try (Visit visit = visit().openPath("/help")) {
            assertThat(visit.page()).hasURL(Pattern.compile("/#/help$"));
            assertThat(visit.page().locator("#help-view h1").first()).hasText("Your first plan");
            assertThat(visit.page().locator("#help-view li strong").first()).hasText("TTFT");
            assertThat(visit.page().locator("#help-view")).containsText("curl -s localhost:8080");
            assertThat(visit.calls()).isEmpty();
            visit.assertNoBarriers();
        }
    }

    @Test
    void aHeadingSaysWhatItMeans() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.SILICON));

            assertThat(visit.page()
                            .locator(".phase th")
                            .getByText("TTFT (ms)")
                            .first()
                            .locator("xpath=ancestor-or-self::th"))
                    .hasAttribute(
                            "title",
                            "Time to first token: from arrival of a request to its first token, queueing included.");
            assertThat(visit.page()
                            .locator(".phase th")
                            .getByText("TPOT (ms)")
                            .first()
                            .locator("xpath=ancestor-or-self::th"))
                    .hasAttribute(
                            "title", "Time per output token after the first. Also called inter-token latency (ITL).");
        }
    }
}
