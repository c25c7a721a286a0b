package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The page that shows measured servers against modelled ones.
@EveryNight
class DashboardAccuracyIT extends BrowserTest {
    @Test
    void serversAreDrawnAndCanBeNarrowedDown() {
        try (Visit visit = visit()) {
            visit.open("/accuracy");
            Locator picture = visit.page().locator(".accuracy-explorer .chart");

            assertThat(picture).hasAttribute("aria-label", Pattern.compile("Chart: TPOT: 1,022 servers\\..*"));
            visit.field("Model shown").selectOption("Llama-3.1-70B");
            visit.field("Device shown").selectOption("H200_SXM");
            visit.field("Engine shown").selectOption("vllm");
            assertThat(picture).hasAttribute("aria-label", Pattern.compile("Chart: TPOT: 60 servers\\..*"));
            visit.field("Value shown").selectOption("TTFT");
            assertThat(picture).hasAttribute("aria-label", Pattern.compile("Chart: TTFT: \\d+ servers.*"));
            assertThat(visit.page().getByLabel("Errors (% of measured)")).containsText("5.3%");
            visit.assertNoBarriers();
        }
    }

    @Test
    void aPlanLeadsToTheServersOfItsModelDeviceAndEngine() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.EXPERTS_SILICON));
            visit.page().getByText("Calibration").first().click();
            visit.link("Accuracy: measured and modeled").first().click();

            assertThat(visit.field("Engine shown")).hasValue("sglang");
            assertThat(visit.field("Device shown")).hasValue(Pattern.compile("[HB]200_SXM"));
            assertThat(visit.field("Model shown")).hasValue("DeepSeek-R1/V3");
            assertThat(visit.page().locator(".accuracy-explorer .chart"))
                    .hasAttribute("aria-label", Pattern.compile("Chart: TPOT: \\d{1,3} servers.*"));
            assertThat(visit.page().getByLabel("Intervals, from errors on measured servers"))
                    .containsText("TPOT, MoE models");
        }
    }
}
