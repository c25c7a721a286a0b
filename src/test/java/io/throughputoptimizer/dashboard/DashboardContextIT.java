package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import org.junit.jupiter.api.Test;

/// Decode context parallel sizes, asked for in the form and kept by what is asked next.
@EveryNight
class DashboardContextIT extends BrowserTest {

    @Test
    void theFormAsksForSizesAndAConfigurationIsOpenedWithItsOwn() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Decode instances");
            visit.page()
                    .locator("summary")
                    .getByText("Search", new Locator.GetByTextOptions().setExact(true))
                    .click();
            visit.field("TPOT target (ms)").fill("200");
            visit.field("TP sizes").fill("8");
            visit.field("DCP sizes").fill("2");
            visit.field("Explain results").check();
            visit.run();

            assertThat(visit.bestInWords()).containsText("(TP=8, DCP=2), at most");
            visit.page().getByText("Plans of the Pareto frontier").click();
            visit.page()
                    .locator("button[aria-label^='Open TP=8, DCP=2, batch']")
                    .first()
                    .click();

            assertThat(visit.page().locator(".explanation")).hasCount(0);
            assertThat(visit.bestInWords()).containsText("(TP=8, DCP=2), at most");
        }
    }
}
