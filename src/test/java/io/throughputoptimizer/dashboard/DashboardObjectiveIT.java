package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Locator;
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
    void aPriceIsKeptByTheBrowserAndBecomesCostAMonth() {
        try (Visit visit = visit().open("/")) {
            Locator price = visit.liveAnswer().getByLabel("Price of H100_SXM per device-hour");
            price.fill("2.5");
            price.press("Enter");

            assertThat(visit.liveAnswer()).containsText("Cost a month$14,600");
            assertThat(visit.liveAnswer()).containsText("Per million output tokens$");
            assertThat(price).isFocused();
            assertThat(visit.liveAnswer().getByLabel("All layouts")).containsText("Per 1M tokens");
            visit.assertNoBarriers();
            visit.page().reload();
            assertThat(visit.liveAnswer()).containsText("Cost a month$14,600");
            assertEquals("{\"H100_SXM\":2.5}", visit.page().evaluate("localStorage.getItem('prices')"));
            visit.run();
            assertThat(visit.page().locator(".hero")).containsText("Cost a month$14,600");
            visit.open("/jobs");
            assertThat(visit.page().locator(".job-answer").first()).containsText("$14,600 a month");
            visit.page().evaluate("localStorage.clear()");
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
