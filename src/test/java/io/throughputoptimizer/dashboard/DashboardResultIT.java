package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.SelectOption;
import io.throughputoptimizer.fixture.EveryNight;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What the dashboard says about results of every mode.
@EveryNight
class DashboardResultIT extends BrowserTest {
    @Test
    void whereNothingIsFeasibleEveryLayoutSaysWhy() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.INFEASIBLE));

            assertThat(visit.bestInWords()).containsText("No layout meets the targets.");
            assertThat(visit.page().locator(".hero"))
                    .containsText("TP=8 at batch size 1 is nearest: TPOT 8.0 of 5 ms.");
            Locator out = visit.page().getByLabel("Decode instances: rejected layouts");
            assertThat(out.locator("tbody tr")).hasCount(4);
            assertThat(out).containsText("Misses the TPOT target");
        }
    }

    @Test
    void anAggregatedResultShowsWhereTimeAndMemoryGo() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.AGGREGATED));

            assertThat(visit.bestInWords()).containsText("3,209 tokens/s");
            assertThat(visit.bestInWords().locator(".best-words"))
                    .hasText("Run 1 instance of 8 × TEST_DEVICE (TP=8), at most 193 requests");
            assertThat(visit.bestInWords().locator(".limit-bars li.binds")).containsText("49.8 of 50 ms bottleneck");
            Locator phase = visit.page().locator(".phase");
            assertThat(phase.getByText("Time breakdown (%)")).isVisible();
            Locator cards = visit.page().locator(".plan-cards");
            assertThat(cards.getByText("Memory breakdown, 64.00 GiB per device"))
                    .isVisible();
            assertThat(cards.locator(".bar")).hasCount(4);
            // Prefill and decode of each layout.
            assertThat(phase.locator(".bar")).hasCount(2 * 4);
        }
    }

    @Test
    void aRatioIsSaidInInstances() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.PD_RATIO));

            assertThat(visit.bestInWords().locator(".best-words"))
                    .hasText("1 prefill instance of 8 devices for 4 decode instances of 8 devices; one pair serves"
                            + " 3.43 requests/s, limited by decode");
            assertThat(visit.page().locator(".phase h2").allTextContents())
                    .containsExactly(
                            "P:D ratio on TEST_DEVICE",
                            "Prefill instances on TEST_DEVICE",
                            "Decode instances on TEST_DEVICE");
        }
    }

    @Test
    void comparedDevicesBeginWithTheBestAndCanBeSwitched() {
        try (Visit visit = visit()) {
            JsonNode job = visit.ask(Questions.THREE_DEVICES);
            JsonNode ranked = job.at("/result/cross_hardware/0/rows");
            String best = ranked.get(0).required("device").asString();
            String last = ranked.get(2).required("device").asString();
            visit.openJob(job.required("id").asString());
            Locator detail = visit.page().locator(".phase h2 .device");

            assertThat(visit.field(best)).isChecked();
            assertThat(detail).hasText("on " + best);
            visit.page().locator(".segment").getByText(last).click();
            assertThat(detail).hasText("on " + last);
        }
    }

    @Test
    void theMixedBatchOfEachLayoutCanBeSeen() {
        try (Visit visit = visit()) {
            JsonNode job = visit.ask(Questions.MIXED_PREFILL);
            visit.openJob(job.required("id").asString());
            JsonNode second = job.at("/result/devices/0/phases/0/rows/1");
            Locator composition = visit.page().locator(".card:has(h3:text-is('Batch composition'))");
            composition.getByLabel("Layout").selectOption(new SelectOption().setIndex(1));

            assertThat(composition.locator("caption"))
                    .hasText(second.required("samples").asInt() + " concurrent requests, by input length");
            assertThat(composition.locator("tbody tr"))
                    .hasCount(second.required("composition").size());
            assertThat(composition.locator(".left-out")).hasCount(second.has("omitted_ratio") ? 1 : 0);
        }
    }

    @Test
    void whatToKnowBeforeRelyingOnARowStandsInTheCardAndOpensInItsLine() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.TOO_SMALL_A_BATCH));
            String words = "The batch is too small for every length; its figures leave out 12.5% of the requests.";
            Locator mark = visit.page().locator(".phase tr.best .warned").first();

            assertThat(visit.page().locator(".hero .warnings li").first()).hasText(words);
            assertThat(visit.page().locator(".left-out")).containsText("excludes 12.50% of the traffic");
            assertThat(mark.getByText("Warnings")).hasCount(1);
            assertThat(mark.locator("li").first()).isHidden();
            mark.locator("summary").focus();
            visit.page().keyboard().press("Enter");
            assertThat(mark.locator("li").first()).hasText(words);
            assertThat(mark.locator("li").first()).isVisible();
        }
    }
}
