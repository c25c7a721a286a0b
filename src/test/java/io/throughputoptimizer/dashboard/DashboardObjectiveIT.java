package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import org.junit.jupiter.api.Test;

/// What planners ask to rank by, and see of it.
class DashboardObjectiveIT extends BrowserTest {
    private static final String PRICED = "{\"objective\": {\"name\": \"cost_per_million_tokens\","
            + " \"price_per_device_hour\": {\"TEST_DEVICE\": 2.5}, \"currency\": \"EUR\"}, \"explain\": true, "
            + Questions.AGGREGATED.substring(1);

    @EveryNight
    @Test
    void theFormAsksForTheCostOfTokens() {
        try (Visit visit = visit().open("/")) {
            visit.startFrom("Decode instances");
            assertThat(visit.field("Price of a device for an hour")).isHidden();
            visit.field("Plans are ranked by").selectOption("cost_per_million_tokens");
            visit.field("Price of a device for an hour").fill("H100_SXM: 2.5");
            visit.field("Currency").fill("EUR");
            visit.run();

            assertThat(visit.page().locator(".hero")).containsText("EUR per million tokens");
            assertThat(visit.page().locator("main")).containsText("layouts by cost per million tokens");
        }
    }

    @EveryNight
    @Test
    void theSpeedOfAUserIsALimitLikeThatOnTpot() {
        try (Visit visit = visit().open("/")) {
            visit.startFrom("Decode instances");
            visit.field("TPOT limit (ms)").fill("");
            visit.field("or speed of a user (tokens/s)").fill("40");
            visit.run();

            assertThat(visit.page().locator(".hero")).containsText("of the limit");
            assertThat(visit.page().locator("main")).containsText("≥ 40 tokens/s a user");
        }
    }

    @Test
    void theTimeOfAWholeAnswerIsALimitToo() {
        try (Visit visit = visit().open("/")) {
            visit.startFrom("Without measured kernels");
            visit.field("Request latency limit (ms)").fill("40000");
            visit.run();

            assertThat(visit.page().locator(".hero").first()).containsText("Request latency");
            assertThat(visit.page().locator("main")).containsText("request latency ≤ 40,000 ms");
        }
    }

    @EveryNight
    @Test
    void anEarlierQuestionComesBackWithItsObjective() {
        try (Visit visit = visit().open("/")) {
            visit.startFrom("Decode instances");
            visit.field("Plans are ranked by").selectOption("tokens_per_s_per_user");
            visit.field("Requests at once, at least").fill("32");
            visit.run();

            assertThat(visit.page().locator(".hero")).containsText("tokens/s/user");
            assertThat(visit.page().locator("main")).containsText("by tokens per second and user");
        }
    }

    @EveryNight
    @Test
    void objectivesHaveNoBarriers() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(PRICED));
            visit.assertNoBarriers();
        }
    }
}
