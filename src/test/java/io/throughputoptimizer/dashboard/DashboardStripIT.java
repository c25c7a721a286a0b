package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The strip that changes one part of the sentence.
@EveryNight
class DashboardStripIT extends BrowserTest {
    private static final String MODE = "[name='/mode']:checked";

    @Test
    void aNumberIsChangedByKeysAlone() {
        try (Visit visit = ready(visit())) {
            Page page = visit.page();
            visit.tabTo(part(visit, "tpot"));
            page.keyboard().press("Enter");
            assertThat(part(visit, "tpot")).hasAttribute("aria-expanded", "true");
            assertThat(text(visit)).isFocused();
            page.keyboard().type("31");
            assertThat(part(visit, "tpot")).containsText("31 ms");
            assertThat(visit.liveAnswer()).containsText("of 31 ms");
            assertThat(text(visit)).isFocused();
            visit.assertNoBarriers();
            page.keyboard().press("Enter");
            assertThat(strip(visit)).isHidden();
            assertThat(part(visit, "tpot")).isFocused();
            page.keyboard().press("Enter");
            assertThat(text(visit)).hasValue("31");
            page.keyboard().press("Escape");

            assertThat(strip(visit)).isHidden();
            assertThat(part(visit, "tpot")).isFocused();
            assertThat(part(visit, "tpot")).hasAttribute("aria-expanded", "false");
            assertThat(visit.submissions()).isEmpty();
        }
    }

    /// The sentence has no part of a value that is wrong.
    @Test
    void theFocusStaysOnThePageWhenThePartIsGone() {
        try (Visit visit = ready(visit())) {
            part(visit, "ttft").click();
            visit.page().keyboard().type("soon");
            assertThat(visit.page().locator("#plan-words .part")).hasCount(0);
            visit.page().keyboard().press("Escape");

            assertThat(strip(visit)).isHidden();
            assertThat(visit.page().locator("#settings-toggle")).isFocused();
        }
    }

    @Test
    void aSliderAndUsualValuesChangeTheNumber() {
        try (Visit visit = ready(visit())) {
            part(visit, "tpot").click();
            Locator slider = strip(visit).locator("input[type=range]");
            slider.focus();
            visit.page().keyboard().press("End");
            assertThat(text(visit)).hasValue("200");
            assertThat(visit.liveAnswer()).containsText("of 200 ms");
            chip(visit, "30").click();

            assertThat(text(visit)).hasValue("30");
            assertThat(chip(visit, "30")).hasAttribute("aria-pressed", "true");
            assertThat(chip(visit, "30")).isFocused();
            assertThat(visit.liveAnswer()).containsText("of 30 ms");
            chip(visit, "no target").click();
            assertThat(visit.page().locator("#tpot")).hasValue("");
        }
    }

    @Test
    void aPercentileIsChosenAndSaysWhatItLeaves() {
        try (Visit visit = ready(visit())) {
            part(visit, "tpot").click();
            assertThat(chip(visit, "mean")).hasAttribute("aria-pressed", "true");
            assertThat(strip(visit).locator(".of .hint")).hasText(Pattern.compile("p95 would leave [\\d,]+ tokens/s"));
            chip(visit, "p95").click();

            assertThat(chip(visit, "p95")).hasAttribute("aria-pressed", "true");
            assertThat(visit.page().locator("#plan-words")).containsText("for 95 of 100 requests");
            assertThat(visit.liveAnswer()).containsText("TPOT p95");
        }
    }

    @Test
    void modelDevicesAndEngineAreChosen() {
        try (Visit visit = ready(visit())) {
            part(visit, "model-id").click();
            assertThat(strip(visit).locator("#model-id")).isFocused();
            visit.page().keyboard().type("Qwen3-8B");
            visit.page().keyboard().press("Enter");
            assertThat(part(visit, "model-id")).hasText("Qwen/Qwen3-8B");
            part(visit, "#devices input:checked").click();
            assertThat(visit.page().locator("#settings #model-id")).hasCount(1);
            chip(visit, "H200_SXM").click();
            chip(visit, "16").click();
            assertThat(visit.page().locator("#plan-words")).containsText("16 × H200");
            strip(visit).getByLabel("Several").check();
            chip(visit, "H100_SXM").click();
            assertThat(visit.page().locator("#plan-words")).containsText("H100_SXM or H200_SXM");
            part(visit, "[name='/engine/backend']:enabled").click();
            chip(visit, "sglang").click();

            assertThat(visit.page().locator("#plan-words")).containsText("sglang");
            visit.assertNoBarriers();
            strip(visit).getByLabel("Close").click();
            assertThat(strip(visit)).isHidden();
        }
    }

    @Test
    void modesKeepWhatWasTyped() {
        try (Visit visit = ready(visit())) {
            part(visit, "input-length").click();
            visit.page().keyboard().type("2k");
            chooseMode(visit, "Capacity");
            assertThat(visit.page().locator("#plan-words"))
                    .hasText(Pattern.compile(".*the fewest devices for [\\d.]+ requests/s.*"));
            part(visit, "#capacity input").click();
            visit.page().keyboard().type("5");
            assertThat(visit.liveAnswer().locator(".best-words")).containsText("× H100_SXM");
            chooseMode(visit, "Disaggregated");
            assertThat(visit.liveAnswer().locator(".best-words")).containsText("prefill instance");
            visit.liveAnswer().locator(".other-mode button:enabled").click();
            assertThat(part(visit, MODE)).hasText("aggregated");
            assertThat(part(visit, "input-length")).hasText("2,000 input tokens");
            chip(visit, "Capacity").click();

            assertThat(visit.page().locator("#plan-words")).containsText("the fewest devices for 5 requests/s");
            assertThat(part(visit, "input-length")).hasText("2,000 input tokens");
        }
    }

    private static void chooseMode(Visit visit, String name) {
        part(visit, MODE).click();
        chip(visit, name).click();
    }

    private static Visit ready(Visit visit) {
        visit.open("/");
        assertThat(visit.liveAnswer()).containsText("Run 4 instances");
        return visit;
    }

    private static Locator strip(Visit visit) {
        return visit.page().locator("#strip");
    }

    private static Locator text(Visit visit) {
        return strip(visit).locator("input[type=text]");
    }

    private static Locator chip(Visit visit, String words) {
        return strip(visit).locator(".chip:text-is(\"" + words + "\")");
    }

    private static Locator part(Visit visit, String opens) {
        return visit.page().locator("#plan-words .part[data-opens=\"" + opens + "\"]");
    }
}
