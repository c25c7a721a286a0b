package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What a planner does on the dashboard.
class DashboardIT extends BrowserTest {
    private static final String BEST_PREFILL =
            "8 devices, TP=1, DP=8, batch 3: 42,342 tokens/s, TTFT 1,984 of 2,000 ms; limited by TTFT";
    private static final String BEST_PREFILL_ON_H100 =
            "8 devices, TP=1, DP=8, batch 8: 120,457 tokens/s, TTFT 1,860 of 2,000 ms; limited by TTFT";

    @Test
    void aFilledFormLeadsToTheBestConfigurationInWords() {
        try (Visit visit = visit().open("/")) {
            assertThat(visit.page().locator("#device-choices input")).not().hasCount(0);
            visit.page().locator("[name='/cost_model'][value=analytic]").check();
            visit.page().locator("#device-choices input:checked").uncheck();
            visit.field("Model").fill("Qwen/Qwen3-32B");
            assertThat(visit.page().locator("#model-facts"))
                    .hasText("32.8 billion parameters, 64 layers, context of 40,960 tokens");
            visit.page().locator("#device-choices").getByText("TEST_DEVICE").check();
            visit.field("Devices").fill("8");
            visit.page().locator("#mode-choices").getByText("Disaggregation").check();
            visit.field("Input length").fill("3500");
            visit.field("Output length").fill("1500");
            visit.field("TTFT limit (ms)").fill("2000");
            visit.field("TPOT limit (ms)").fill("");
            visit.page().locator("details[data-pointer='/serving'] > summary").click();
            visit.page().locator("#compile").check();
            visit.run();

            assertThat(visit.bestInWords()).hasText(BEST_PREFILL);
            Locator best = visit.page().locator(".phase tr.best td");
            assertThat(best).hasText(new String[] {
                "1",
                "TP=1, DP=8",
                "42,342.49",
                "100 %",
                "5,292.81",
                "12.10",
                "12.10",
                "1,983.82",
                "3",
                "24",
                "TTFT",
                "Copy commands of row 1"
            });
            assertThat(visit.page()).hasURL(Pattern.compile("#/jobs/[0-9a-f-]{36}$"));
        }
    }

    @Test
    void aDeepLinkSurvivesAReload() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.PREFILL));
            visit.page().reload();

            assertThat(visit.bestInWords()).hasText(BEST_PREFILL);
            assertThat(visit.page()).hasTitle("Qwen/Qwen3-32B on 8 × TEST_DEVICE – throughput-optimizer");
        }
    }

    @Test
    @EveryNight
    void chartsOfAllProbesCanBeSwitchedAndReadPointByPoint() {
        try (Visit visit = visit()) {
            JsonNode job = visit.ask(Questions.PREFILL);
            visit.openJob(job.required("id").asString());
            Locator chart = visit.page().locator(".chart");
            assertThat(chart.locator("canvas")).isVisible();
            visit.field("Chart").selectOption("Throughput over TTFT");

            assertThat(chart)
                    .hasAttribute("aria-label", "Chart: Throughput over TTFT. Arrow keys move from point to point.");
            chart.focus();
            visit.page().keyboard().press("ArrowRight");
            assertThat(visit.page().locator(".tip")).containsText("TP=1, DP=8, batch 1, concurrency 8: TTFT ");
            visit.page()
                    .locator("summary")
                    .getByText("The figures of this chart")
                    .click();
            int probes = job.at("/result/devices/0/phases/0/points").size();
            visit.button("All " + probes + " rows").click();
            assertThat(visit.page().locator(".chart-card tbody tr")).hasCount(probes);
        }
    }

    @Test
    @EveryNight
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

    @EveryNight
    @Test
    void twoJobsStandSideBySide() {
        try (Visit visit = visit()) {
            String first = visit.askForId(Questions.PREFILL);
            String second = visit.askForId(Questions.PREFILL_HALF_CACHED);
            visit.openJob(first);
            visit.button("Compare…").click();
            assertThat(visit.page().locator("#tray")).containsText("One job to compare");
            visit.assertNoBarriers();
            visit.link("Jobs").click();
            visit.page()
                    .locator("li:has(a[href='#/jobs/" + second + "']) input")
                    .check();
            visit.link("Compare 2 jobs").click();

            assertThat(visit.page()).hasURL(Pattern.compile("#/compare/" + first + "," + second + "$"));
            Locator asked = visit.page().getByLabel("What was asked").locator("tbody tr");
            assertThat(asked).hasCount(1);
            assertThat(asked).containsText("workload.prefix_cache_hit_rate");
            Locator throughput = visit.page()
                    .getByLabel("Best configurations: Prefill instances")
                    .locator("tbody tr");
            assertThat(throughput.locator("small").first()).containsText("+");
            assertThat(visit.page().locator(".series-legend button")).hasCount(2);
            visit.button("Compare none").click();
            assertThat(visit.page().locator("#tray")).isHidden();
        }
    }

    @Test
    void anObjectionOfTheServiceAppearsAtItsField() {
        try (Visit visit = visit().open("/").expectRefusal()) {
            visit.startFrom("Prefill instances");
            visit.field("TTFT limit (ms)").fill("-1");
            visit.run();

            Locator field = visit.field("TTFT limit (ms)");
            assertThat(field).isFocused();
            assertThat(field).hasAttribute("aria-invalid", "true");
            assertThat(field)
                    .hasAccessibleDescription(
                            "Time to first token. TTFT limit (ms) is -1.0: a number above 0 is needed");
            field.fill("2000");
            assertThat(field).not().hasAttribute("aria-invalid", "true");
            visit.run();
            assertThat(visit.bestInWords()).hasText(BEST_PREFILL_ON_H100);
        }
    }

    @EveryNight
    @Test
    void anObjectionInAFoldedPartUnfoldsIt() {
        try (Visit visit = visit().open("/").expectRefusal()) {
            visit.startFrom("Prefill instances");
            Locator sizes = visit.page().locator("#tp-sizes");
            sizes.evaluate("field => { field.value = '16'; field.dispatchEvent(new Event('input', {bubbles: true})) }");
            visit.run();

            assertThat(sizes).isFocused();
            assertThat(visit.page().locator("#plan-problem")).containsText("search.tp_sizes.0");
        }
    }

    @Test
    @EveryNight
    void pastedBinsBecomeTheDistributionOfTheRequest() {
        try (Visit visit = visit().open("/")) {
            visit.startFrom("Mixed prompt lengths");
            visit.page().locator("[name='/cost_model'][value=analytic]").check();
            assertThat(visit.page().locator("#distribution-histogram svg"))
                    .hasAccessibleName(Pattern.compile("Histogram of 35 bins; mean 4,23\\d tokens.*"));
            visit.field("Distribution").selectOption("bins of my own");
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

            assertThat(visit.page().locator(".job-heading")).containsText("lengths of 2 bins in");
            assertThat(visit.page().getByText("What the batch is made of")).isVisible();
        }
    }

    @Test
    void aFinishedJobCanBeChangedAndRunAgain() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.PREFILL));
            visit.link("Change and run again").click();
            assertThat(visit.field("TTFT limit (ms)")).hasValue("2000");
            visit.field("Prefix cache hit rate").fill("0.5");
            visit.run();

            assertThat(visit.page().locator(".job-heading")).containsText("50 % from the prefix cache");
            assertThat(visit.bestInWords()).containsText("limited by TTFT");
        }
    }

    @EveryNight
    @Test
    void severalValuesOfAMemberAreTriedInOneSearch() {
        try (Visit visit = visit().open("/")) {
            visit.startFrom("Prefill instances");
            visit.page().locator("summary").getByText("Quantization").click();
            visit.field("Linear layers").selectOption(new String[] {"W8A8_DYNAMIC", "FP8"});
            visit.page().locator("summary").getByText("Search").click();
            visit.field("Max batched tokens").fill("4096, 8192");
            visit.run();

            assertThat(visit.page().locator(".job-heading")).isVisible();
            assertThat(visit.page().getByText("budget=4096, linear=FP8").first())
                    .isAttached();
            visit.link("Change and run again").click();
            assertThat(visit.field("Linear layers")).hasValues(new String[] {"W8A8_DYNAMIC", "FP8"});
            assertThat(visit.field("Max batched tokens")).hasValue("4096, 8192");
        }
    }

    @Test
    void whatThePlannerTypesNeverBecomesMarkup() {
        try (Visit visit = visit().open("/").expectRefusal()) {
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

    /// Defaults are filled in, so that no member is missing but those that exclude one that is given.
    @Test
    void theFormHasAControlForEveryMemberOfARequest() {
        try (Visit visit = visit()) {
            List<String> members = leaves("", visit.ask(Questions.PD_RATIO).required("request"))
                    .toList();
            visit.open("/");
            assertThat(visit.page().locator("#device-choices input")).not().hasCount(0);
            @SuppressWarnings("unchecked")
            List<String> controls = (List<String>)
                    visit.page().evaluate("[...document.forms[0].elements].map(control => control.name)");

            assertThat(members).contains("/model_id", "/slo/ttft_ms", "/serving/compile");
            assertThat(controls).containsAll(members);
        }
    }

    private static Stream<String> leaves(String pointer, JsonNode value) {
        return value.isObject()
                ? value.propertyStream().flatMap(member -> leaves(pointer + "/" + member.getKey(), member.getValue()))
                : Stream.of(pointer);
    }

    @EveryNight
    @Test
    void imagesAreAskedForPerRequest() {
        try (Visit visit = visit()) {
            visit.open("/");

            assertThat(visit.field("Images per request")).hasAttribute("name", "/workload/image/batch_size");
        }
    }
}
