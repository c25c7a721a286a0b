package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.throughputoptimizer.fixture.EveryNight;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What a planner sees of cost model `calibrated`: the switch, figures with their bands, and simulations.
@EveryNight
class DashboardSiliconIT extends BrowserTest {
    @Test
    void theSwitchShowsAndAsksWhatBelongsToTheCostModel() {
        try (Visit visit = visit().openSettings()) {
            Locator curl = visit.page().getByLabel("curl command for optimizations");
            visit.startFrom("Roofline");
            assertThat(curl).containsText("\"compile\": true");
            device(visit, "ATLAS_800_A3_560T_128G_DIE").uncheck();
            device(visit, "TEST_DEVICE").check();
            silicon(visit).check();

            assertThat(device(visit, "H100_SXM")).isChecked();
            assertThat(device(visit, "TEST_DEVICE")).isHidden();
            assertThat(visit.page().locator(".vendor legend:visible")).hasText(new String[] {"HUAWEI", "NVIDIA"});
            assertThat(visit.page().locator("#backend")).hasValue("vllm");
            assertThat(visit.page().locator("#strategy, #linear, #accounting")).hasCount(3);
            for (Locator analytic :
                    visit.page().locator("#strategy, #linear, #accounting").all()) {
                assertThat(analytic).isHidden();
            }
            visit.field("TTFT definition").selectOption("steady state");
            assertThat(curl).containsText("\"cost_model\": \"calibrated\"");
            assertThat(curl).containsText("\"scheme\": \"FP8\"");
            assertThat(curl).containsText("\"ttft_basis\": \"settled\"");
            assertThat(curl).not().containsText("TEST_DEVICE");
            assertThat(curl).not().containsText("compile");

            visit.page().locator("[name='/cost_model'][value=analytic]").check();
            assertThat(device(visit, "TEST_DEVICE")).not().isChecked();
            assertThat(visit.field("TTFT definition")).isHidden();
            assertThat(curl).containsText("\"compile\": true");
            assertThat(curl).not().containsText("engine");
        }
    }

    @Test
    void eachDeviceMayHaveItsEngine() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Calibrated");
            visit.page().locator("#per-device").check();
            assertThat(visit.page().locator("#backend")).isHidden();
            visit.field("Engine per device").fill("{\"H100_SXM\": \"vllm\", \"H200_SXM\": \"sglang\"}");
            visit.field("Checkpoint per device").fill("\"FP8\"");

            assertThat(visit.page().getByLabel("curl command for optimizations"))
                    .containsText(Pattern.compile("\"H200_SXM\": \"sglang\"[^?]*\"scheme\": \"FP8\""));
            assertThat(visit.page().locator("#plan-words")).containsText("vllm or sglang, FP8");
        }
    }

    @Test
    void everyFigureOfAMeasuredRowHasItsBand() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Calibrated");
            visit.field("TTFT target (ms)").fill("1000");
            visit.field("TPOT target (ms)").fill("30");
            visit.run();

            assertThat(visit.bestInWords()).containsText("10,800 tokens/s");
            assertThat(visit.bestInWords()).containsText("9 of 10 measured servers: 8,500 to 12,200");
            assertThat(visit.bestInWords().locator(".best-words"))
                    .hasText("Run 4 instances of 2 × H100_SXM (TP=2), at most 82 requests each");
            assertThat(visit.bestInWords().locator(".limit-bars li.binds"))
                    .containsText("29.8 of 30 ms (26.5 to 37.5) bottleneck");
            JsonNode rows = job(visit).at("/result/devices/0/phases/0/rows");
            Locator lines = visit.page().locator(".phase > .table").first().locator("tbody tr");
            assertThat(lines).hasCount(rows.size());
            for (int i = 0; i < rows.size(); i++) {
                for (String figure : List.of("tokens_per_s", "tokens_per_s_per_device", "ttft_ms", "tpot_ms")) {
                    assertThat(lines.nth(i)).containsText(banded(rows.get(i), figure, 1, ""));
                }
            }
            visit.page().getByText("Chart data").click();
            JsonNode point = job(visit).at("/result/devices/0/phases/0/points/0");
            visit.page().locator(".chart-card .more-rows button").click();
            assertThat(visit.page().locator(".chart-card")).containsText("Bands show the intervals");
            assertThat(visit.page().locator(".chart-card tbody")).containsText(span(point, "tokens_per_s", 1));
            for (String kind : List.of("Steady state/ttft_settled_ms", "Burst/ttft_burst_ms")) {
                String[] parts = kind.split("/", 2);
                assertThat(visit.page().locator(".card:has(h3:text('TTFT definition'))"))
                        .containsText(parts[0] + banded(rows.get(0), parts[1], 0, " ms "));
            }
        }
    }

    @Test
    void aLimitOnAPercentileIsToldAsOneEverywhere() {
        try (Visit visit = visit()) {
            JsonNode job = visit.ask(Questions.PERCENTILE_SILICON);
            JsonNode best = job.at("/result/devices/0/phases/0/rows/0");
            JsonNode ttft = best.at("/simulation/ttft_ms/others/0");
            JsonNode tpot = best.at("/simulation/tpot_ms/others/0");
            visit.openJob(job.required("id").asString());

            assertThat(visit.page().locator(".job-heading"))
                    .containsText(Pattern.compile("TTFT ≤ [\\d,]+ ms and TPOT ≤ \\d+ ms for 95 of 100 requests"));
            assertThat(visit.bestInWords())
                    .containsText(Pattern.compile("TTFT p95[\\d.,]+ of [\\d,]+ ms .*TPOT p95[\\d.,]+ of"));
            assertThat(visit.bestInWords().locator(".limit-bars li.binds"))
                    .containsText(Pattern.compile("T(TFT|POT) p95"));
            Locator row = visit.page().locator(".phase > .table").first().locator("tr.best");
            assertThat(visit.page().locator(".phase > .table").first().locator("thead"))
                    .containsText("TPOT p95 (ms)");
            assertThat(row).containsText(banded(ttft, "ms", 1, ""));
            assertThat(row).containsText(banded(tpot, "ms", 1, ""));
            row.getByText("Simulate").click();
            Locator panel = visit.page().locator(".simulation");
            assertThat(panel.getByLabel("Client-side latency")).containsText(banded(ttft, "ms", 1, ""));
            assertThat(panel).containsText("each client waits once after its first response");
            visit.open("/jobs");
            assertThat(visit.page().locator(".jobs li").first())
                    .containsText(Pattern.compile("TTFT ≤ [\\d,]+ ms and TPOT ≤ \\d+ ms for 95 of 100 requests"));
        }
    }

    @Test
    void anAscendDeviceHasRangesAndIsCalledUncalibrated() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.ASCEND_SILICON));

            assertThat(visit.bestInWords()).containsText(Pattern.compile("tokens/s ?[\\d,]+ to [\\d,]+, uncalibrated"));
            assertThat(visit.page().locator(".flags")).containsText("no measured servers with this device");
            assertThat(visit.page().locator(".results")).not().containsText("Interval");
        }
    }

    @Test
    void aRowIsSimulatedWithPercentilesAndATimeline() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.SILICON));
            visit.button("Simulate TP=4").click();
            Locator panel = visit.page().locator(".simulation");
            assertThat(panel.locator(".timeline .chart").first())
                    .hasAttribute("aria-label", Pattern.compile("Chart: Requests\\..*"));
            panel.getByText("As curl command").click();
            String curl = panel.locator(".curl").textContent();

            JsonNode answer = JsonMapper.shared()
                    .readTree(visit.answerTo(
                            "simulations",
                            curl.substring(curl.indexOf("-d '") + 4, curl.length() - 1),
                            "application/json"));
            for (String statistic : List.of("mean", "p50", "p90", "p99")) {
                for (String figure : List.of("ttft_ms", "tpot_ms")) {
                    assertThat(panel.getByLabel("Client-side latency"))
                            .containsText(banded(answer.required(figure), statistic, 1, ""));
                }
            }
            Locator requests = panel.locator(".timeline .chart-card").first();
            requests.getByText("Chart data").click();
            requests.locator(".more-rows button").click();
            assertThat(requests.locator("tbody tr"))
                    .hasCount(4 * answer.required("timeline").size());

            visit.field("Load").selectOption("Request rate (requests/s)");
            panel.getByText("Simulate", new Locator.GetByTextOptions().setExact(true))
                    .click();
            assertThat(panel.getByText("requests/s, 2 replicas:")).isVisible();
        }
    }

    @Test
    void aLoadThatCannotBeSimulatedIsRefusedInWords() {
        try (Visit visit = visit().expectRefusal()) {
            visit.openJob(visit.askForId(Questions.SILICON));
            visit.field("Amount").fill("3");
            visit.page().locator(".simulation-form button").click();

            assertThat(visit.page().locator(".simulation .problem"))
                    .containsText("must be a multiple of the 4 ranks, got 3");
        }
    }

    @Test
    void theOtherCostModelIsAskedTheSameAndBothRowsStandSideBySide() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.SILICON));
            visit.button("Compare with roofline model").click();

            Locator rows = visit.page().getByLabel("Best plans: Aggregated");
            assertThat(rows).containsText("calibrated");
            assertThat(rows).containsText("roofline");
            assertThat(rows.locator("tr:has-text('TPOT') td").first())
                    .hasText(Pattern.compile("[\\d.]+\\([\\d.]+ to [\\d.]+\\)"));
            rows.locator("thead a").last().click();
            visit.button("Compare with calibrated model").click();
            assertThat(rows.locator("tbody tr").first())
                    .hasText(Pattern.compile("Cost model\\s*roofline\\s*calibrated"));
        }
    }

    @Test
    void pairsOfInstancesHaveBandsAndCanBeAskedAgain() {
        try (Visit visit = visit()) {
            JsonNode job = visit.ask(Questions.PAIRS_SILICON);
            JsonNode best = job.at("/result/devices/0/pd_ratio/rows/0");
            visit.openJob(job.required("id").asString());

            assertThat(visit.bestInWords())
                    .containsText(best.required("prefill_instances") + " prefill instances of 2 devices for "
                            + best.required("decode_instances") + " decode instance");
            assertThat(visit.page().locator(".phase tr.best")).containsText(banded(best, "tpot_ms", 1, ""));
            assertThat(visit.page().getByText("mostly too low")).isVisible();
            visit.assertNoBarriers();
            visit.link("Edit and rerun").click();
            assertThat(silicon(visit)).isChecked();
            assertThat(visit.field("Devices per decode instance")).hasValue("4");
        }
    }

    @Test
    void aDeviceWithoutMeasurementsIsAReasonNotToAsk() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.SHORT_RANGE));

            assertThat(visit.page().locator(".other-model"))
                    .hasText("The calibrated model does not support this request: it has no kernels for TEST_DEVICE.");
            visit.openJob(visit.askForId(Questions.onH100(Questions.SHORT_RANGE)
                    .replaceFirst("\\{", "{\"quantization\": {\"linear\": [\"FP8\", \"DISABLED\"]}, ")));
            assertThat(visit.page().locator(".other-model"))
                    .hasText("The calibrated model does not support this request: it requires one quantization.");
        }
    }

    @Test
    void anotherRunStartsFromTheSameQuestion() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.EXPERTS_SILICON));
            assertThat(visit.bestInWords()).containsText("steady-state TTFT");
            visit.link("Edit and rerun").click();

            assertThat(silicon(visit)).isChecked();
            assertThat(visit.page().locator("#backend")).hasValue("sglang");
            assertThat(visit.field("Checkpoint")).hasValue("FP8_BLOCK");
            assertThat(visit.field("TTFT definition")).hasValue("settled");
            assertThat(device(visit, "B200_SXM")).isChecked();
        }
    }

    /// The type of the KV cache goes with the scheme unless somebody asked for one.
    @Test
    void whatNobodyAskedForIsDecidedAnewInAnotherRun() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.SILICON));
            visit.link("Edit and rerun").click();
            visit.showSettings().field("Checkpoint").selectOption("BF16");
            visit.run();
            assertThat(visit.page().locator(".hero")).isVisible();

            JsonNode fresh = visit.ask(Questions.SILICON.replace("FP8", "BF16"));
            JsonNode again = job(visit);
            assertEquals("bf16", again.at("/request/engine/kv_cache_dtype").asString());
            assertEquals(fresh.at("/result/devices/0/phases"), again.at("/result/devices/0/phases"));
        }
    }

    @Test
    void nothingOfItHasBarriers() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Calibrated");
            visit.page().locator("summary:visible").last().click();
            visit.page().getByText("Advanced engine settings").click();
            visit.assertNoBarriers();
            visit.openJob(visit.askForId(Questions.EXPERTS_SILICON));
            visit.page().locator("button[aria-label^=Simulate]").first().click();
            assertThat(visit.page().locator(".timeline canvas").first()).isVisible();
            visit.page().getByText("Calibration").click();
            visit.assertNoBarriers();
            visit.openJob(visit.askForId(Questions.ASCEND_SILICON));
            visit.button("Compare with roofline model").click();
            assertThat(visit.page().getByLabel("Requests", new Page.GetByLabelOptions().setExact(true)))
                    .isVisible();
            visit.assertNoBarriers();
        }
    }

    private static Locator silicon(Visit visit) {
        return visit.page().locator("[name='/cost_model'][value=calibrated]");
    }

    private static Locator device(Visit visit, String name) {
        return visit.page().locator("#device-choices input[value=" + name + "]");
    }

    private static JsonNode job(Visit visit) {
        return JsonMapper.shared()
                .readTree(visit.get("/api/v1/optimizations/" + visit.shownJob(), "application/json")
                        .text());
    }

    /// A figure and its band, as the dashboard writes them.
    private static String banded(JsonNode node, String member, int decimals, String between) {
        double value = node.required(member).doubleValue();
        // Tables keep all digits of a figure.
        String figure = between.isEmpty() ? written(value, decimals) : rounded(value, node, member, decimals);
        return figure + between + "(" + span(node, member, decimals) + ")";
    }

    private static String span(JsonNode node, String member, int decimals) {
        String band = "/" + member + "_band/";
        return rounded(node.at(band + "low").doubleValue(), node, member, decimals) + " to "
                + rounded(node.at(band + "high").doubleValue(), node, member, decimals);
    }

    /// A figure as cards write it.
    static String rounded(JsonNode node, String member, int decimals) {
        return rounded(node.required(member).doubleValue(), node, member, decimals);
    }

    /// Three digits where the band is wider than 5% of the value.
    private static String rounded(double value, JsonNode node, String member, int decimals) {
        String band = "/" + member + "_band/";
        double width =
                node.at(band + "high").doubleValue() - node.at(band + "low").doubleValue();
        if (width <= 0.05 * value) {
            return written(value, decimals);
        }
        BigDecimal digits = new BigDecimal(value).round(new MathContext(3, RoundingMode.HALF_UP));
        return written(digits.doubleValue(), Math.max(0, digits.scale()));
    }

    private static String written(double value, int decimals) {
        return ("%,." + decimals + "f").formatted(value);
    }
}
