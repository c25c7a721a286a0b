package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.Nightly;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Journeys of users through the dashboard, on one service.
class DashboardIT extends BrowserTest {
    private static final Pattern BEST_PREFILL =
            Pattern.compile("42,342 tokens/s.*Run 1 instances? of 8 × TEST_DEVICE.*1,984 of 2,000 ms.*bottleneck");

    /// A user whose actions are counted: fields filled in, choices and clicks.
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
    }

    static List<Look> looks() {
        return Nightly.isNow() ? List.of(Look.LIGHT, Look.NARROW) : List.of(Look.LIGHT);
    }

    @Test
    void aFilledFormLeadsToTheBestConfigurationInWords() {
        try (Visit visit = visit().openSettings()) {
            assertThat(visit.page().locator("#device-choices input")).not().hasCount(0);
            visit.page().locator("[name='/cost_model'][value=analytic]").check();
            visit.page().locator("#device-choices input:checked").uncheck();
            visit.field("Model").fill("Qwen/Qwen3-32B");
            assertThat(visit.page().locator("#model-facts"))
                    .hasText("32.8 billion parameters, 64 layers, context of 40,960 tokens");
            visit.page().locator("#device-choices").getByText("TEST_DEVICE").check();
            visit.field("Devices").fill("8");
            visit.page().locator("#mode-choices").getByText("Single phase").check();
            visit.field("Input length").fill("3500");
            visit.field("Output length").fill("1500");
            visit.field("TTFT target (ms)").fill("2000");
            visit.field("TPOT target (ms)").fill("");
            visit.page().locator("details[data-pointer='/serving'] > summary").click();
            visit.page().locator("#compile").check();
            visit.run();

            assertThat(visit.bestInWords()).containsText(BEST_PREFILL);
            Locator best = visit.page().locator(".phase tr.best td");
            assertThat(best).hasText(new String[] {
                "1",
                "TP=1, DP=8",
                "42,342.49",
                "100%",
                "5,292.81",
                "12.10",
                "12.10",
                "1,983.82",
                "3",
                "24",
                "TTFT",
                "Copy commands of plan 1"
            });
            assertThat(visit.page()).hasURL(Pattern.compile("#/jobs/[0-9a-f-]{36}$"));
            visit.page().reload();
            assertThat(visit.bestInWords()).containsText(BEST_PREFILL);
            assertThat(visit.page()).hasTitle("Qwen/Qwen3-32B on 8 × TEST_DEVICE – throughput-optimizer");
        }
    }

    /// Another model on another device, lengths and limits of its own: the command of the best row is copied.
    @ParameterizedTest
    @MethodSource("looks")
    void anEngineerCopiesTheCommandOfTheBestRow(Look look) {
        try (Visit visit = visit(look).openSettings()) {
            assertThat(visit.liveAnswer()).containsText("Run 4 instances");
            Counted engineer = new Counted();
            Locator devices = visit.page().locator("#device-choices");
            engineer.fill(visit.field("Model"), "Qwen/Qwen3-235B-A22B");
            engineer.click(devices.getByText("H100_SXM", new Locator.GetByTextOptions().setExact(true)));
            engineer.click(devices.getByText("H200_SXM", new Locator.GetByTextOptions().setExact(true)));
            engineer.fill(visit.field("Input length"), "2000");
            engineer.fill(visit.field("Output length"), "500");
            engineer.fill(visit.field("TTFT target (ms)"), "1500");
            engineer.fill(visit.field("TPOT target (ms)"), "40");
            assertThat(visit.liveAnswer()).containsText("H200_SXM");
            assertThat(visit.liveAnswer()).containsText("of 40 ms");
            assertThat(visit.liveAnswer()).hasAttribute("aria-busy", "false");
            Locator panel = visit.liveAnswer().locator("details.launch");
            assertThat(panel.locator("pre")).containsText("Qwen/Qwen3-235B-A22B");
            engineer.click(panel.getByText("Copy", new Locator.GetByTextOptions().setExact(true)));

            assertThat(visit.page().locator("#announcer")).hasText("Copied");
            String command = (String) visit.page().evaluate("navigator.clipboard.readText()");
            assertThat(command)
                    .contains("vllm serve \"$MODEL\"")
                    .contains("--max-num-seqs")
                    .isEqualTo(panel.locator("pre").textContent());
            assertThat(engineer.actions).isLessThanOrEqualTo(8);
            assertThat(visit.submissions()).isEmpty();
            visit.assertNoBarriers();
        }
    }

    @EveryNight
    @ParameterizedTest
    @MethodSource("looks")
    void aPlannerReadsHowManyAndWhatItCosts(Look look) {
        try (Visit visit = visit(look).openSettings()) {
            assertThat(visit.liveAnswer()).containsText("Run 4 instances");
            Counted planner = new Counted();
            planner.click(visit.page().locator(".preset:has(strong:text-is(\"Capacity\"))"));
            planner.fill(visit.field("Requests per second"), "10");
            planner.choose(visit.field("Rank by"), "cost_per_million_tokens");
            planner.fill(visit.field("Price per device hour"), "2.5");

            assertThat(visit.liveAnswer().locator(".best-words")).containsText(Pattern.compile("\\d+ × H100_SXM"));
            assertThat(visit.liveAnswer()).containsText(Pattern.compile("Cost a month\\$[\\d,]+"));
            assertThat(planner.actions).isLessThanOrEqualTo(6);
            visit.assertNoBarriers();
        }
    }

    @Test
    void anAnswerIsVariedIntoAHeatMapWhoseFieldsOpenAsPlans() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.AGGREGATED));
            visit.link("Run sweep…").click();
            assertThat(visit.page().locator("#sweeps-view h1")).containsText("Sweep over ");
            visit.assertNoBarriers();
            DashboardSweepIT.values(visit, 0).fill("2, 4");
            DashboardSweepIT.values(visit, 1).fill("500 to 2000 in 3 log");
            visit.button("Run sweep").click();

            Locator fields = visit.page().locator(".heat-map td button");
            assertThat(visit.page().locator(".badge")).hasText("succeeded");
            assertThat(fields).hasCount(6);
            assertThat(fields.last()).hasText(Pattern.compile("^[\\d,.]+$"));
            assertThat(visit.page().locator(".heat-map th[scope=col]"))
                    .hasText(new String[] {"Devices \\ Input tokens", "500", "1000", "2000"});
            visit.assertNoBarriers();
            visit.field("Rows").selectOption("Input tokens");
            assertThat(visit.page().locator(".heat-map tbody th")).hasText(new String[] {"500", "1000", "2000"});
            assertThat(visit.page().locator("#sweeps-view header")).not().containsText("true");
            visit.field("Value").selectOption("parallel");
            assertThat(fields.first()).containsText("TP=");
            fields.last().click();
            assertThat(visit.page().locator("#input-length")).hasValue("2000");
            assertThat(visit.page().locator("#num-devices")).hasValue("4");
        }
    }

    @ParameterizedTest
    @MethodSource("looks")
    void aManagerReadsALinkThatItsOwnerMade(Look look) {
        String link;
        try (Visit owner = visit()) {
            owner.openJob(owner.askForId(DashboardSharesIT.PRICED));
            owner.page().getByText("Share link").click();
            owner.button("Create link").click();
            link = owner.field("Link (shown once)").inputValue();
        }
        try (Visit manager = visit(look).openPath(link.substring(link.indexOf("/#")))) {
            Locator paragraph = manager.page().locator("#shared-view .meaning");
            assertThat(paragraph)
                    .containsText("Qwen/Qwen3-32B needs 8 × H100_SXM, in 4 instances of 2. They serve at most 7.");
            assertThat(paragraph).containsText("It costs EUR 14,600 per month, EUR 20.00 per hour for all devices.");
            assertThat(paragraph)
                    .containsText(
                            Pattern.compile(
                                    "In 9 of 10 measured servers, throughput was within the interval: [\\d,]+ to [\\d,]+ tokens"));
            assertThat(paragraph).containsText("Assumptions: FP8 weights; FP8 KV cache");
            assertThat(manager.page().locator("#shared-view"))
                    .containsText(Pattern.compile("Planned .+ by throughput-optimizer.*This link expires "));
            assertThat(manager.page().locator("#shared-view")).containsText("of 30 ms");

            assertThat(manager.page().locator("dialog")).hasCount(0);
            // Besides the language of the page.
            assertThat(manager.page().locator("button:visible, nav a:visible, input:visible, main select:visible"))
                    .hasText(new String[] {"PNG", "CSV"});
            assertThat(manager.calls()).containsExactly("/api/v1/share?include=probes,frontier,compositions,all_rows");
            manager.assertNoBarriers();
        }
    }

    @Test
    void markupOfOthersIsTextOnEveryPage() {
        try (Visit visit = visit()) {
            String first = visit.askForId(DashboardHostileNamesIT.QUESTION);
            String second = visit.askForId(
                    DashboardHostileNamesIT.QUESTION.replace(DashboardHostileNamesIT.LABEL, "<img/src=/no/x>"));
            visit.openJob(first);
            assertThat(visit.page().locator("main")).containsText(DashboardHostileNamesIT.LABEL);
            assertNothingRan(visit);
            visit.open("/compare/" + first + "," + second);
            assertThat(visit.page().getByLabel("Requests", new Page.GetByLabelOptions().setExact(true)))
                    .containsText(DashboardHostileNamesIT.LABEL);
            assertNothingRan(visit);
            visit.open("/again/" + first);
            assertThat(visit.field("Currency")).hasValue(DashboardHostileNamesIT.LABEL);
            assertNothingRan(visit);
            visit.open("/jobs");
            assertThat(visit.page().locator(".jobs li").first()).isVisible();
            assertNothingRan(visit);
        }
    }

    private static void assertNothingRan(Visit visit) {
        assertThat(visit.page().locator("main img, main iframe, [onload], [onerror], a[href^=javascript]"))
                .hasCount(0);
        assertThat(visit.page().title()).isNotIn("ran", "1");
    }

    @Test
    void aPlanLeadsToItsResultByKeysAlone() {
        try (Visit visit = visit().openSettings()) {
            Page page = visit.page();
            visit.tabTo(page.locator(".preset").first());
            Locator preset = page.locator(".preset:has(strong:text-is('Prefill instances'))");
            while (!(Boolean) preset.evaluate("node => node === document.activeElement")) {
                page.keyboard().press("ArrowRight");
            }
            page.keyboard().press("Enter");
            assertThat(page.locator("#plan-run")).isFocused();
            page.keyboard().press("Enter");
            assertThat(visit.bestInWords()).containsText("120,457 tokens/s");

            Locator chart = page.locator(".chart");
            visit.tabTo(visit.field("Chart"));
            page.keyboard().press("ArrowDown");
            assertThat(chart)
                    .hasAttribute("aria-label", "Chart: Throughput by TTFT. Use arrow keys to move between points.");
            visit.tabTo(chart);
            page.keyboard().press("ArrowRight");
            assertThat(page.locator(".tip")).containsText("TP=1, DP=8, batch size 1");
            Locator series = page.locator(".series-legend button").first();
            visit.tabTo(series);
            page.keyboard().press("Space");
            assertThat(series).hasAttribute("aria-pressed", "false");
            Locator figures = page.locator("summary:has-text('Chart data')");
            visit.tabTo(figures);
            page.keyboard().press("Enter");
            assertThat(page.locator(".chart-card tbody tr").first()).isVisible();
        }
    }

    /// Defaults are filled in, so that no member is missing but those that exclude one that is given.
    @Test
    void theFormHasAControlForEveryMemberOfARequest() {
        try (Visit visit = visit()) {
            List<String> members = leaves("", visit.ask(Questions.PD_RATIO).required("request"))
                    .toList();
            visit.openSettings();
            assertThat(visit.page().locator("#device-choices input")).not().hasCount(0);
            @SuppressWarnings("unchecked")
            List<String> controls = (List<String>)
                    visit.page().evaluate("[...document.forms[0].elements].map(control => control.name)");

            assertThat(members).contains("/model_id", "/slo/ttft_ms", "/serving/compile");
            assertThat(controls).containsAll(members).contains("/workload/image/batch_size");
        }
    }

    private static Stream<String> leaves(String pointer, JsonNode value) {
        return value.isObject()
                ? value.propertyStream().flatMap(member -> leaves(pointer + "/" + member.getKey(), member.getValue()))
                : Stream.of(pointer);
    }
}
