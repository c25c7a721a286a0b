package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The page that shows measured servers against modelled ones.
class DashboardAccuracyIT extends BrowserTest {
    @Test
    void serversAreDrawnAndCanBeNarrowedDown() {
        try (Visit visit = visit()) {
            visit.open("/accuracy");
            Locator picture = visit.page().locator(".scatter svg");

            assertThat(picture).hasAttribute("aria-label", "TPOT: 1,022 servers");
            visit.field("Model shown").selectOption("Llama-3.1-70B");
            visit.field("Device shown").selectOption("H200_SXM");
            visit.field("Engine shown").selectOption("vllm");
            assertThat(picture).hasAttribute("aria-label", "TPOT: 60 servers");
            visit.field("Figure shown").selectOption("TTFT");
            assertThat(picture).hasAttribute("aria-label", Pattern.compile("TTFT: \\d+ servers"));
            assertThat(visit.page().getByLabel("Errors in percent of what was measured"))
                    .containsText("5.3 %");
            visit.assertNoBarriers();
        }
    }
}
