package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Work of a planner on the dashboard.
@EveryNight
class DashboardPlanIT extends BrowserTest {
    @Test
    void aSeriesOfAChartCanBeHidden() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.PREFILL));
            Locator series = visit.page().locator(".series-legend button").first();
            byte[] before = visit.page().locator(".chart").screenshot();
            series.click();

            assertThat(series).hasAttribute("aria-pressed", "false");
            assertThat(visit.page().locator(".chart").screenshot()).isNotEqualTo(before);
        }
    }

    @Test
    void twoJobsStandSideBySide() {
        try (Visit visit = visit()) {
            String first = visit.askForId(Questions.PREFILL);
            String second = visit.askForId(Questions.PREFILL_HALF_CACHED);
            visit.openJob(first);
            visit.button("Compare…").click();
            assertThat(visit.page().locator("#tray")).containsText("1 job selected");
            visit.assertNoBarriers();
            visit.link("Jobs").click();
            visit.page()
                    .locator("li:has(a[href='#/jobs/" + second + "']) input")
                    .check();
            visit.link("Compare 2 jobs").click();

            assertThat(visit.page()).hasURL(Pattern.compile("#/compare/" + first + "," + second + "$"));
            Locator asked = visit.page()
                    .getByLabel("Requests", new Page.GetByLabelOptions().setExact(true))
                    .locator("tbody tr");
            assertThat(asked).hasCount(1);
            assertThat(asked).containsText("workload.prefix_cache_hit_rate");
            Locator throughput =
                    visit.page().getByLabel("Best plans: Prefill instances").locator("tbody tr");
            assertThat(throughput.locator("small").first()).containsText("+");
            assertThat(visit.page().locator(".series-legend button")).hasCount(2);
            visit.button("Clear selection").click();
            assertThat(visit.page().locator("#tray")).isHidden();
        }
    }

    @Test
    void anObjectionOfTheServiceAppearsAtItsField() {
        try (Visit visit = visit().openSettings().expectRefusal()) {
            visit.startFrom("Prefill instances");
            visit.field("TTFT target (ms)").fill("-1");
            visit.run();

            Locator field = visit.field("TTFT target (ms)");
            assertThat(field).isFocused();
            assertThat(field).hasAttribute("aria-invalid", "true");
            assertThat(field)
                    .hasAccessibleDescription(
                            "Time to first token. TTFT target (ms) must be greater than 0, got -1.0.");
            field.fill("2000");
            assertThat(field).not().hasAttribute("aria-invalid", "true");
            visit.run();
            assertThat(visit.bestInWords()).containsText("120,457 tokens/s");
        }
    }

    @Test
    void anObjectionInAFoldedPartUnfoldsIt() {
        try (Visit visit = visit().openSettings().expectRefusal()) {
            visit.startFrom("Prefill instances");
            Locator sizes = visit.page().locator("#tp-sizes");
            sizes.evaluate("field => { field.value = '16'; field.dispatchEvent(new Event('input', {bubbles: true})) }");
            visit.run();

            assertThat(sizes).isFocused();
            assertThat(visit.page().locator("#plan-problem")).containsText("search.tp_sizes.0");
        }
    }

    @Test
    void pastedBinsBecomeTheDistributionOfTheRequest() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Mixed prompt lengths");
            visit.page().locator("[name='/cost_model'][value=analytic]").check();
            assertThat(visit.page().locator("#distribution-histogram svg"))
                    .hasAccessibleName(Pattern.compile("Histogram of 35 bins; mean 4,23\\d tokens.*"));
            visit.field("Distribution").selectOption("custom bins");
            visit.page().getByText("Paste bins as YAML or JSON").click();
            visit.field("Bins").fill("""
                    bins:
                      - min_tokens: 0
                        max_tokens: 1000   # short
                        weight: 5
                      - {min_tokens: 1000, max_tokens: 3000, weight: 3}
                    """);
            visit.button("Use these bins").click();
            visit.run();

            assertThat(visit.page().locator(".job-heading")).containsText("input: lengths of 2 bins");
            assertThat(visit.page().getByText("Batch composition")).isVisible();
        }
    }

    @Test
    void aFinishedJobCanBeChangedAndRunAgain() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.PREFILL));
            visit.link("Edit and rerun").click();
            assertThat(visit.showSettings().field("TTFT target (ms)")).hasValue("2000");
            visit.field("Prefix cache hit rate").fill("0.5");
            visit.run();

            assertThat(visit.page().locator(".job-heading")).containsText("50% prefix cache hits");
            assertThat(visit.bestInWords().locator(".limit-bars li.binds")).containsText("TTFT");
        }
    }

    @Test
    void severalValuesOfAMemberAreTriedInOneSearch() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Prefill instances");
            visit.page().locator("summary").getByText("Quantization").click();
            visit.field("Linear layers").selectOption(new String[] {"W8A8_DYNAMIC", "FP8"});
            visit.page().locator("summary").getByText("Search").click();
            visit.field("Max batched tokens").fill("4096, 8192");
            visit.run();

            assertThat(visit.page().locator(".job-heading")).isVisible();
            assertThat(visit.page().getByText("budget=4096, linear=FP8").first())
                    .isAttached();
            visit.link("Edit and rerun").click();
            assertThat(visit.field("Linear layers")).hasValues(new String[] {"W8A8_DYNAMIC", "FP8"});
            assertThat(visit.field("Max batched tokens")).hasValue("4096, 8192");
        }
    }

    @Test
    void whatThePlannerTypesNeverBecomesMarkup() {
        try (Visit visit = visit().openSettings().expectRefusal()) {
            String markup = "<img src=x onerror=alert(1)>";
            visit.startFrom("Prefill instances");
            visit.page().getByText("Paste device profiles").click();
            visit.field("Device profiles").fill("[{\"name\": \"" + markup + "\"}]");
            visit.field("Model").fill(markup);

            assertThat(visit.page().locator("#device-choices strong").last()).hasText(markup);
            visit.run();
            assertThat(visit.page().locator("#plan-problem")).isVisible();
            assertThat(visit.page().locator("main img")).hasCount(0);
        }
    }
}
