package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page.LocatorOptions;
import io.throughputoptimizer.fixture.EveryNight;
import org.junit.jupiter.api.Test;

/// Prefill and decode instances of several sizes and kinds of device, with a transfer between them, in the browser.
@EveryNight
class DashboardPairsIT extends BrowserTest {
    private static final String SIZES =
            "\"prefill_devices_per_instance\": [2, 4], \"decode_devices_per_instance\": [4, 8]";
    private static final String PAIRS = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM", "B200_SXM"], "num_devices": 16, "mode": "pd_ratio",
             "workload": {"input_length": 4096, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "serving": {"compile": true},
             "pd_ratio": {%s, "prefill_devices": "H100_SXM", "kv_transfer": {"gb_per_s": 25, "latency_ms": 5}}}""".formatted(SIZES);
    private static final String MEASURED = Questions.PAIRS_SILICON
            .replace(
                    "\"prefill_devices_per_instance\": 2, \"decode_devices_per_instance\": 4",
                    SIZES + ", \"kv_transfer\": {\"gb_per_s\": 25}")
            .replace("[2, 4]}}", "[2, 4, 8]}}");

    /// Sixty-four pairs, of which the best is none of the first that are tried.
    private static final String MANY = """
            {"cost_model": "calibrated", "mode": "pd_ratio", "model_id": "deepseek-ai/DeepSeek-V3.1", "devices": ["H200_SXM"], "num_devices": 16,
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "pd_ratio": {"prefill_devices_per_instance": 8, "decode_devices_per_instance": 8},
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}}""";

    private static final int MOST_PROBES = 200;

    @Test
    void theFormAsksForSizesAndTheTransfer() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Disaggregated");
            visit.field("Devices per prefill instance").fill("8, 16");
            visit.page()
                    .locator("summary", new LocatorOptions().setHasText("Devices and KV transfer"))
                    .click();
            visit.field("KV transfer (GiB/s)").fill("25");
            visit.page().locator("#kv-latency").fill("5");
            visit.run();

            assertThat(visit.page().locator(".hero").first()).containsText("of TTFT for");
            assertThat(visit.page().locator("main")).containsText("Plans by tokens/s");
            assertThat(visit.page().locator("main")).containsText("KV transfer (ms)");
        }
    }

    @Test
    void twoKindsOfDeviceAreShownByPairAndCompared() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(PAIRS));

            assertThat(visit.page().locator("main")).containsText("H100_SXM + B200_SXM");
            assertThat(visit.page().locator(".hero").first()).containsText("× H100_SXM");
            assertThat(visit.page().locator("main")).containsText("Requests/s per device");
            assertThat(visit.page().locator("main")).containsText("Sustained requests/s");
        }
    }

    @Test
    void theChartShowsTheBestPairsAndTheOthersWhenTheyAreChosen() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(MANY));

            Locator chart = visit.page().locator(".chart-card").last();
            Locator shown = chart.locator(".series-legend button");
            Locator others = chart.locator("select.more-series");
            assertThat(shown).hasCount(8);
            assertThat(others.locator("option")).not().hasCount(0);
            // The ring of the best pair is drawn, and within the frame: its top is that of the canvas without its
            // margin.
            chart.locator(".chart").focus();
            Locator tip = chart.locator(".tip");
            for (int steps = 0;
                    steps < MOST_PROBES && (steps == 0 || !tip.innerText().contains("; best"));
                    steps++) {
                visit.page().keyboard().press("ArrowRight");
            }
            assertThat(tip).containsText(shown.first().innerText());
            assertThat(tip).containsText("; best");
            assertThat((Double) chart.locator(".spot").evaluate("node => parseFloat(node.style.top)"))
                    .isGreaterThan(30);

            String label = others.locator("option").nth(1).innerText();
            others.selectOption(label);
            assertThat(shown).hasCount(9);
            assertThat(shown.last()).hasText(label);
            assertThat(shown.last()).hasAttribute("aria-pressed", "true");
            visit.assertNoBarriers();
        }
    }

    @Test
    void aPairIsSimulated() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(MEASURED));
            Locator panel = visit.page().locator(".simulation");
            panel.locator("form button").click();

            assertThat(panel.locator(".timeline canvas").first()).isVisible();
            assertThat(panel).containsText("Prefill ranks are busy");
            assertThat(panel.getByLabel("Client-side latency")).containsText("E2E latency (ms)");
            panel.getByText("As curl command").click();
            assertThat(panel.locator(".curl")).containsText("kv_transfer");
        }
    }

    @Test
    void aLimitThatTheTransferTakesPartOfIsNamed() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(PAIRS.replace("\"gb_per_s\": 25", "\"gb_per_s\": 1")));

            assertThat(visit.page().locator("main")).containsText("TTFT including KV transfer");
        }
    }

    @Test
    void measuredPairsSayTheirTransfer() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(MEASURED));

            assertThat(visit.page().locator(".hero")).containsText("of TTFT for");
            assertThat(visit.page().locator("main")).containsText("excludes router and imbalance");
            assertThat(visit.page().locator("main")).containsText("P devices");
            assertThat(visit.page().locator("main")).containsText("Sustained requests/s");
        }
    }

    @Test
    void pairsHaveNoBarriers() {
        try (Visit visit = visit()) {
            for (String question : new String[] {PAIRS, MEASURED}) {
                visit.openJob(visit.askForId(question));
                visit.assertNoBarriers();
            }
        }
    }
}
