package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import org.junit.jupiter.api.Test;

/// What planners ask to rank by, and see of it.
@EveryNight
class DashboardObjectiveIT extends BrowserTest {
    private static final String PRICED = "{\"objective\": {\"name\": \"cost_per_million_tokens\","
            + " \"price_per_device_hour\": {\"TEST_DEVICE\": 2.5}, \"currency\": \"EUR\"}, \"explain\": true, "
            + Questions.AGGREGATED.substring(1);

    @Test
    void theFormAsksForTheCostOfTokens() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Decode instances");
            assertThat(visit.field("Price per device hour")).isHidden();
            visit.field("Rank by").selectOption("cost_per_million_tokens");
            visit.field("Price per device hour").fill("H100_SXM: 2.5");
            visit.field("Currency").fill("EUR");
            visit.run();

            assertThat(visit.page().locator(".hero")).containsText("EUR per million tokens");
            assertThat(visit.page().locator("main")).containsText("layouts by cost per million tokens");
        }
    }

    @Test
    void objectivesHaveNoBarriers() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(PRICED));
            visit.assertNoBarriers();
        }
    }
}
