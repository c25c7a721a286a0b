package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.Nightly;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// How many actions it takes whom to come from the empty page to what it came for. An action is a field that is filled
/// in, a choice or a click.
class DashboardActionsIT extends BrowserTest {
    /// One that counts what it does.
    private static final class Counted {
        private int actions;

        void fill(Locator field, String text) {
            actions++;
            field.fill(text);
        }

        void click(Locator control) {
            actions++;
            control.click();
        }

        void choose(Locator list, String option) {
            actions++;
            list.selectOption(option);
        }

        int actions() {
            return actions;
        }
    }

    static List<Look> looks() {
        return Nightly.isNow() ? List.of(Look.LIGHT, Look.NARROW) : List.of(Look.LIGHT);
    }

    /// Another model on another device, lengths and limits of its own: the command of the best row is copied.
    @ParameterizedTest
    @MethodSource("looks")
    void anEngineerCopiesTheCommandOfTheBestRow(Look look) {
        try (Visit visit = visit(look).open("/")) {
            assertThat(visit.liveAnswer()).containsText("Run 4 servers");
            Counted engineer = new Counted();
            Locator devices = visit.page().locator("#device-choices");
            engineer.fill(visit.field("Model"), "Qwen/Qwen3-235B-A22B");
            engineer.click(devices.getByText("H100_SXM", new Locator.GetByTextOptions().setExact(true)));
            engineer.click(devices.getByText("H200_SXM", new Locator.GetByTextOptions().setExact(true)));
            engineer.fill(visit.field("Input length"), "2000");
            engineer.fill(visit.field("Output length"), "500");
            engineer.fill(visit.field("TTFT limit (ms)"), "1500");
            engineer.fill(visit.field("TPOT limit (ms)"), "40");
            assertThat(visit.liveAnswer()).containsText("H200_SXM");
            assertThat(visit.liveAnswer()).containsText("of 40 ms");
            assertThat(visit.liveAnswer()).hasAttribute("aria-busy", "false");
            Locator panel = visit.liveAnswer().locator("details.launch");
            assertThat(panel.locator("pre")).containsText("Qwen/Qwen3-235B-A22B, FP8 on H200_SXM, row 1, vllm");
            engineer.click(panel.getByText("Copy", new Locator.GetByTextOptions().setExact(true)));

            assertThat(visit.page().locator("#announcer")).hasText("Copied");
            String command = (String) visit.page().evaluate("navigator.clipboard.readText()");
            assertThat(command)
                    .contains("vllm serve \"$MODEL\"")
                    .contains("--max-num-seqs")
                    .isEqualTo(panel.locator("pre").textContent());
            assertThat(engineer.actions()).isLessThanOrEqualTo(8);
            assertThat(visit.submissions()).isEmpty();
            visit.assertNoBarriers();
        }
    }

    @ParameterizedTest
    @MethodSource("looks")
    void aPlannerReadsHowManyAndWhatItCosts(Look look) {
        try (Visit visit = visit(look).open("/")) {
            assertThat(visit.liveAnswer()).containsText("Run 4 servers");
            Counted planner = new Counted();
            planner.click(visit.page().locator(".preset:has(strong:text-is(\"How many devices\"))"));
            planner.fill(visit.field("Requests per second"), "10");
            planner.choose(visit.field("Plans are ranked by"), "cost_per_million_tokens");
            planner.fill(visit.field("Price of a device for an hour"), "2.5");

            assertThat(visit.liveAnswer().locator(".best-words")).containsText(Pattern.compile("\\d+ × H100_SXM"));
            assertThat(visit.liveAnswer()).containsText(Pattern.compile("[\\d,.]+ an hour, [\\d,]+ a month"));
            assertThat(planner.actions()).isLessThanOrEqualTo(6);
            visit.assertNoBarriers();
        }
    }
}
