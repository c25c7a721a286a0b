package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Numbers are understood as people write them.
class DashboardNumbersIT extends BrowserTest {
    private static final String UNDERSTOOD = """
            async ([unit, texts]) => {
              const { numberInWords } = await import("/dashboard/numberwords.js");
              return texts.map((text) => String(numberInWords(text, unit || undefined)));
            }""";

    private static List<?> understood(Visit visit, String unit, List<String> texts) {
        return (List<?>) visit.page().evaluate(UNDERSTOOD, List.of(unit, texts));
    }

    @Test
    void numbersAreReadAsPeopleWriteThem() {
        try (Visit visit = visit().unansweredWhileWritten().open("/")) {
            Map<String, String> counts = Map.ofEntries(
                    Map.entry("3500", "3500"),
                    Map.entry("3,500", "3500"),
                    Map.entry("1,234,567", "1234567"),
                    Map.entry("3 500", "3500"),
                    Map.entry("3'500", "3500"),
                    Map.entry("1,234.5", "1234.5"),
                    Map.entry("4k", "4000"),
                    Map.entry("1.5K", "1500"),
                    Map.entry("1,5 k", "1500"),
                    Map.entry("2M", "2000000"),
                    Map.entry("29,5", "29.5"),
                    Map.entry("0,050", "0.05"),
                    Map.entry("0.1", "0.1"),
                    Map.entry(".5", "0.5"),
                    Map.entry("1e3", "1000"),
                    Map.entry("-1", "-1"),
                    Map.entry("29 %", "0.29"),
                    Map.entry("abc", "undefined"),
                    Map.entry("1,2,3", "undefined"),
                    Map.entry("4x", "undefined"),
                    Map.entry("2 s", "undefined"),
                    Map.entry("1.2.3", "undefined"),
                    Map.entry("", "undefined"));
            Map<String, String> millis = Map.of(
                    "500",
                    "500",
                    "500 ms",
                    "500",
                    "2 s",
                    "2000",
                    "0.05s",
                    "50",
                    "0,05 s",
                    "50",
                    "1 min",
                    "60000",
                    "4k",
                    "undefined",
                    "20 %",
                    "undefined");
            List<String> texts = List.copyOf(counts.keySet());
            List<String> times = List.copyOf(millis.keySet());

            assertThat((Object) understood(visit, "", texts))
                    .isEqualTo(texts.stream().map(counts::get).toList());
            assertThat((Object) understood(visit, "ms", times))
                    .isEqualTo(times.stream().map(millis::get).toList());
        }
    }

    @Test
    @EveryNight
    void whatIsTypedIsAskedAsItWasMeant() {
        try (Visit visit = visit().open("/")) {
            visit.field("Input length").fill("4k");
            visit.field("Output length").fill("1,500");
            visit.field("TTFT limit (ms)").fill("2 s");
            visit.field("TPOT limit (ms)").fill("29,5");
            assertThat(visit.liveAnswer()).containsText("of 29.5 ms");
            assertThat(visit.liveAnswer()).containsText("of 2,000 ms");
            JsonNode asked = JsonMapper.shared().readTree(visit.askedLive().getLast());
            visit.field("Devices").focus();

            assertThat(asked.at("/workload/input_length").intValue()).isEqualTo(4000);
            assertThat(asked.at("/workload/output_length").intValue()).isEqualTo(1500);
            assertThat(visit.field("Input length")).hasValue("4000");
            assertThat(visit.field("TTFT limit (ms)")).hasValue("2000");
            assertThat(visit.field("TPOT limit (ms)")).hasValue("29.5");
        }
    }

    /// Said where it stands, by the name that the page has for it, before anything is asked.
    @EveryNight
    @Test
    void whatIsNoNumberIsSaidWhileItIsTyped() {
        try (Visit visit = visit().open("/")) {
            assertThat(visit.liveAnswer()).containsText("Run 4 servers");
            int before = visit.askedLive().size();
            Locator ttft = visit.field("TTFT limit (ms)");
            ttft.fill("soon");

            assertThat(ttft).hasAttribute("aria-invalid", "true");
            assertThat(ttft)
                    .hasAccessibleDescription(
                            "Time to first token. TTFT limit (ms) is “soon”: a number is needed, such as 500, 2,000 or 2 s");
            assertThat(ttft).isFocused();
            assertThat(visit.liveRemark()).containsText("TTFT limit (ms) is “soon”");
            assertThat(visit.askedLive()).hasSize(before);
            visit.assertNoBarriers();
        }
    }
}
