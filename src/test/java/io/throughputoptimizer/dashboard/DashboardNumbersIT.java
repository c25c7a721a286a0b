package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Numbers are understood as people write them.
@EveryNight
class DashboardNumbersIT extends BrowserTest {
    @Test
    void whatIsTypedIsAskedAsItWasMeant() {
        try (Visit visit = visit().openSettings()) {
            visit.field("Input length").fill("4k");
            visit.field("Output length").fill("1,500");
            visit.field("TTFT target (ms)").fill("2 s");
            visit.field("TPOT target (ms)").fill("29,5");
            assertThat(visit.liveAnswer()).containsText("of 29.5 ms");
            assertThat(visit.liveAnswer()).containsText("of 2,000 ms");
            JsonNode asked = JsonMapper.shared().readTree(visit.askedLive().getLast());
            visit.field("Devices").focus();

            assertThat(asked.at("/workload/input_length").intValue()).isEqualTo(4000);
            assertThat(asked.at("/workload/output_length").intValue()).isEqualTo(1500);
            assertThat(visit.field("Input length")).hasValue("4000");
            assertThat(visit.field("TTFT target (ms)")).hasValue("2000");
            assertThat(visit.field("TPOT target (ms)")).hasValue("29.5");
        }
    }

    /// Said where it stands, by the name that the page has for it, before anything is asked.
    @Test
    void whatIsNoNumberIsSaidWhileItIsTyped() {
        try (Visit visit = visit().openSettings()) {
            assertThat(visit.liveAnswer()).containsText("Run 4 instances");
            int before = visit.askedLive().size();
            Locator ttft = visit.field("TTFT target (ms)");
            ttft.fill("soon");

            assertThat(ttft).hasAttribute("aria-invalid", "true");
            assertThat(ttft)
                    .hasAccessibleDescription(
                            "Time to first token. TTFT target (ms) must be a number, for example 500, 2,000 or 2 s, got “soon”");
            assertThat(ttft).isFocused();
            assertThat(visit.liveRemark()).containsText("got “soon”");
            assertThat(visit.askedLive()).hasSize(before);
            visit.assertNoBarriers();
        }
    }
}
