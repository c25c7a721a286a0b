package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.throughputoptimizer.fixture.EveryNight;
import org.junit.jupiter.api.Test;

/// What a planner sees of an explanation: what binds, what would help, the nearest plans and the frontier.
@EveryNight
class DashboardExplanationIT extends BrowserTest {
    private static final String EXPLAINED = "{\"explain\": true, " + Questions.AGGREGATED.substring(1);
    private static final String PAIRS = """
            {"cost_model": "calibrated", "mode": "pd_ratio", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"],
             "num_devices": 8, "workload": {"input_length": 3500, "output_length": 1500},
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "pd_ratio": {"prefill_devices_per_instance": 1, "decode_devices_per_instance": 2},
             "slo": {"ttft_ms": 2000, "tpot_ms": 30}, "explain": true}""";
    private static final String KINDS = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM", "B200_SXM"], "num_devices": 16, "mode": "pd_ratio",
             "workload": {"input_length": 4096, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "search": {"tp_sizes": [2, 4, 8]}, "serving": {"compile": true},
             "pd_ratio": {"prefill_devices_per_instance": [2, 4], "decode_devices_per_instance": [4, 8],
                          "prefill_devices": "H100_SXM", "decode_devices": "B200_SXM",
                          "kv_transfer": {"gb_per_s": 25, "latency_ms": 5}}, "explain": true}""";
    private static final String INFEASIBLE = "{\"explain\": true, " + Questions.INFEASIBLE.substring(1);

    @Test
    void theFormAsksForItAndTheResultShowsIt() {
        try (Visit visit = visit().openSettings()) {
            visit.startFrom("Decode instances");
            visit.field("TPOT target (ms)").fill("10");
            visit.field("Explain results").check();
            visit.run();

            Locator explanation = visit.page().locator(".explanation");
            assertThat(explanation.locator("h2")).containsText("Bottlenecks and sensitivities: Decode instances");
            assertThat(region(visit, "Bottlenecks")).containsText("exceeds 10 ms by");
            assertThat(region(visit, "Best achievable TTFT, TPOT and memory per layout"))
                    .containsText("at batch size 1");
            assertThat(region(visit, "Sensitivities: changes that improve the plan"))
                    .containsText("TPOT target 10 ms → 12 ms");
            assertThat(explanation.locator(".chart")).hasCount(1);
        }
    }

    @Test
    void aConfigurationOfTheFrontierIsOpened() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(EXPLAINED));
            visit.page().getByText("Plans of the Pareto frontier").click();
            assertThat(visit.page().locator(".explanation .chart")).hasCount(1);

            visit.button("Open TP=8, batch size 127").click();

            assertThat(visit.bestInWords()).containsText("(TP=8), at most 127 requests");
        }
    }

    @Test
    void aConfigurationOnSiliconIsExplainedAndOpened() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId("{\"explain\": true, " + Questions.SILICON.substring(1)));
            assertThat(visit.page().locator(".explanation h2")).containsText("Bottlenecks and sensitivities");
            visit.page().getByText("Plans of the Pareto frontier").click();

            visit.page()
                    .getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Open TP="))
                    .first()
                    .click();

            assertThat(visit.bestInWords()).containsText("tokens/s");
        }
    }

    @Test
    void theNearestPlanIsSearchedByAButton() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(INFEASIBLE));
            assertThat(visit.bestInWords()).containsText("No layout meets the targets.");

            visit.download("Nearest feasible plans (CSV)");
            assertThat(visit.page().locator(".downloads [role=status]")).hasText("Nearest feasible plans (CSV) saved");
            visit.button("Rerun with new TPOT target").click();

            assertThat(visit.bestInWords()).containsText("tokens/s");
        }
    }

    /// The card lists the nearest plans once, without an explanation.
    @Test
    void theNearestPlanOfASavedPlanIsSearchedByAButton() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.SILICON.replaceFirst("\"tpot_ms\": \\d+", "\"tpot_ms\": 1")));
            assertThat(visit.bestInWords()).containsText("No layout meets the targets.");
            assertThat(visit.page().locator(".hero.none .relaxations")).hasCount(1);
            assertThat(visit.page().locator(".explanation")).hasCount(0);
            visit.assertNoBarriers();
            visit.button("Rerun with new TPOT target").click();

            assertThat(visit.bestInWords()).containsText("tokens/s");
            assertThat(visit.page().locator("#job-view .beyond-means")).containsText("p95 TPOT is ");
        }
    }

    @Test
    void pairsOfInstancesAreExplainedByTheirNumbers() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(PAIRS));

            Locator explanation = visit.page().locator(".explanation");
            assertThat(region(visit, "Bottlenecks")).containsText("2 x TP=1 | PP=1 | DP=1 feed 3 x TP=2 | PP=1 | DP=1");
            assertThat(region(visit, "Best achievable TTFT, TPOT and memory per layout"))
                    .containsText("at concurrency 1");
            explanation.locator(".losses summary").click();
            assertThat(region(visit, "Sensitivities: changes that worsen the plan"))
                    .containsText("Devices per prefill instance 1 devices → 2 devices");
            assertThat(explanation.locator(".without-effect")).containsText("No effect: ");
            visit.page().getByText("Plans of the Pareto frontier").click();
            assertThat(explanation.locator(".chart-card .picker option")).hasCount(2);
            assertThat(explanation).containsText("2 × TP=1 feed 3 × TP=2");
            visit.assertNoBarriers();
        }
    }

    @Test
    void pairsOnTwoKindsOfDeviceAreExplainedAndOpened() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(KINDS));

            Locator explanation = visit.page().locator(".explanation");
            assertThat(explanation.locator("h2")).containsText("on H100_SXM + B200_SXM");
            assertThat(region(visit, "Bottlenecks")).containsText("without the KV transfer of 45.0 ms");
            assertThat(region(visit, "Sensitivities: changes that improve the plan"))
                    .containsText("Memory bandwidth of B200_SXM 100% → 110%");
            assertThat(explanation.locator(".without-effect"))
                    .containsText("KV transfer bandwidth 22.5 GB/s, 27.5 GB/s");
            visit.page().getByText("Plans of the Pareto frontier").click();
            assertThat(explanation.locator(".chart-card .picker option")).hasCount(2);
            visit.assertNoBarriers();

            visit.page()
                    .getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Open TP="))
                    .first()
                    .click();

            assertThat(explanation).hasCount(0);
            assertThat(visit.page().locator(".results")).containsText("H100_SXM + B200_SXM");
        }
    }

    @Test
    void explanationsHaveNoBarriers() {
        try (Visit visit = visit()) {
            for (String question : new String[] {EXPLAINED, INFEASIBLE}) {
                visit.openJob(visit.askForId(question));
                for (Locator summary :
                        visit.page().locator(".explanation summary").all()) {
                    summary.click();
                }
                visit.assertNoBarriers();
            }
        }
    }

    private static Locator region(Visit visit, String name) {
        return visit.page().getByLabel(name, new Page.GetByLabelOptions().setExact(true));
    }
}
