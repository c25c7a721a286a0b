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
            {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM", "B200_SXM"], "num_devices": 16, "mode": "pd_ratio",
             "workload": {"input_length": 4096, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "search": {"tp_sizes": [2, 4, 8]}, "serving": {"compile": true},
             "pd_ratio": {"prefill_devices_per_instance": [2, 4], "decode_devices_per_instance": [4, 8],
                          "prefill_devices": "H100_SXM", "decode_devices": "B200_SXM",
                          "kv_transfer": {"gb_per_s": 25, "latency_ms": 5}}, "explain": true}""";
    private static final String INFEASIBLE = "{\"explain\": true, " + Questions.INFEASIBLE.substring(1);

    @Test
    void theFormAsksForItAndTheResultShowsIt() {
        try (Visit visit = visit().open("/")) {
            visit.startFrom("Decode instances");
            visit.field("TPOT limit (ms)").fill("10");
            visit.field("Say why, and what would help").check();
            visit.run();

            Locator explanation = visit.page().locator(".explanation");
            assertThat(explanation.locator("h2")).containsText("Why, and what would help: Decode instances");
            assertThat(region(visit, "What binds each layout")).containsText("exceeds 10 ms by");
            assertThat(region(visit, "The least that each layout reaches, each figure by itself"))
                    .containsText("at batch 1");
            assertThat(region(visit, "What would help: each change alone, searched again"))
                    .containsText("TPOT limit 10 ms → 12 ms");
            assertThat(explanation.locator("svg.frontier")).hasCount(1);
        }
    }

    @Test
    void aConfigurationOfTheFrontierIsOpened() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(EXPLAINED));
            visit.page().getByText("Configurations of the frontier").click();
            assertThat(visit.page().locator("svg.frontier")).hasCount(2);

            visit.button("Open TP=8, batch 127").click();

            assertThat(visit.bestInWords()).containsText("TP=8, batch 127:");
        }
    }

    @Test
    void aConfigurationOnSiliconIsExplainedAndOpened() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId("{\"explain\": true, " + Questions.SILICON.substring(1)));
            assertThat(visit.page().locator(".explanation h2")).containsText("Why, and what would help");
            visit.page().getByText("Configurations of the frontier").click();

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
            assertThat(visit.bestInWords()).hasText("No layout keeps the limits.");

            visit.button("CSV of nearest_feasible").click();
            assertThat(visit.page().locator(".downloads [role=status]")).hasText("CSV of nearest_feasible saved");
            visit.button("Search with that TPOT limit").click();

            assertThat(visit.bestInWords()).containsText("tokens/s");
        }
    }

    /// The card lists the nearest plans once, without an explanation.
    @Test
    void theNearestPlanOfASavedPlanIsSearchedByAButton() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.SILICON.replaceFirst("\"tpot_ms\": \\d+", "\"tpot_ms\": 1")));
            assertThat(visit.bestInWords()).hasText("No layout keeps the limits.");
            assertThat(visit.page().locator(".hero.none .relaxations")).hasCount(1);
            assertThat(visit.page().locator(".explanation")).hasCount(0);
            visit.assertNoBarriers();
            visit.button("Search with that TPOT limit").click();

            assertThat(visit.bestInWords()).containsText("tokens/s");
            assertThat(visit.page().locator("#job-view .beyond-means")).containsText("p95 TPOT is ");
        }
    }

    @Test
    void pairsOfInstancesAreExplainedByTheirNumbers() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(PAIRS));

            Locator explanation = visit.page().locator(".explanation");
            assertThat(region(visit, "What binds each layout"))
                    .containsText("2 x TP=1 | PP=1 | DP=1 feed 3 x TP=2 | PP=1 | DP=1");
            assertThat(region(visit, "The least that each layout reaches, each figure by itself"))
                    .containsText("at concurrency 1");
            explanation.locator(".losses summary").click();
            assertThat(region(visit, "What would cost: each change alone, searched again"))
                    .containsText("Devices of a prefill instance 1 devices → 2 devices");
            assertThat(explanation.locator(".without-effect")).containsText("Without effect: ");
            visit.page().getByText("Configurations of the frontier").click();
            assertThat(explanation.locator("svg.frontier")).hasCount(2);
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
            assertThat(region(visit, "What binds each layout")).containsText("beside the KV transfer of 45.0 ms");
            assertThat(region(visit, "What would help: each change alone, searched again"))
                    .containsText("Memory bandwidth of B200_SXM 100 % → 110 %");
            assertThat(explanation.locator(".without-effect")).containsText("KV transfer rate 22.5 GB/s, 27.5 GB/s");
            visit.page().getByText("Configurations of the frontier").click();
            assertThat(explanation.locator("svg.frontier")).hasCount(2);
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
