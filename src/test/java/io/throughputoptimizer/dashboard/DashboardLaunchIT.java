package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/// What a planner sees of the commands that start a row.
@EveryNight
class DashboardLaunchIT extends BrowserTest {
    private static final String MEASURED = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 1,
             "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 1000, "output_length": 200}, "slo": {"tpot_ms": 50}}""";

    private static final String DEMAND = """
            {"cost_model": "calibrated", "mode": "capacity", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"],
             "num_devices": 8, "demand": {"requests_per_s": 20}, "instance_sizes": [1], "engine": {"backend": "vllm"},
             "quantization": {"scheme": "FP8"}, "workload": {"input_length": 1000, "output_length": 200},
             "slo": {"tpot_ms": 50}}""";

    private static final String NOWHERE = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-30B-A3B", "devices": ["H100_SXM"], "num_devices": 16, "slo": {"tpot_ms": 200},
             "workload": {"input_length": 3500, "output_length": 1500}, "serving": {"compile": true},
             "search": {"tp_sizes": [4], "ep_sizes": [4], "moe_dp_sizes": [4]}}""";

    @Test
    void aRowIsStartedOnTheEngineThatIsChosen() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.AGGREGATED));
            Locator panel = visit.page().locator("details.launch");
            assertThat(panel.locator("pre")).containsText("vllm serve \"$MODEL\"");

            panel.getByLabel("Engine").selectOption("SGLang");
            assertThat(panel.locator("pre")).containsText("python -m sglang.launch_server");
            panel.getByLabel("Plan").selectOption("2");
            panel.getByText("Whole script").click();
            assertThat(panel.locator("pre")).containsText(", row 2, sglang");
            panel.getByLabel("Include a benchmark").check();
            assertThat(panel.locator("pre")).containsText("sglang.bench_serving");
            visit.assertNoBarriers();
        }
    }

    @Test
    void serversStandAloneUntilTheWholeScriptIsAskedFor() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.SILICON));
            Locator panel = visit.page().locator("details.launch");
            assertThat(panel.locator("pre")).containsText("vllm serve");
            assertThat(panel.locator("pre")).not().containsText("# ");
            panel.getByText("Whole script").click();
            assertThat(panel.locator("pre")).containsText(", row 1, vllm");

            panel.getByLabel("Engine").selectOption("SGLang");
            assertThat(panel.locator("pre")).containsText(", row 1, sglang");
        }
    }

    @Test
    void serversTakeTheLongestRequestsThatFit() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(MEASURED));
            Locator panel = visit.page().locator("details.launch");
            assertThat(panel.locator("pre")).containsText("--context-length 1456");

            panel.getByLabel("Longest request").selectOption("longest");
            assertThat(panel.locator("pre")).containsText("--context-length 40960");
        }
    }

    @Test
    void serversAreWrittenForAClusterToo() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(MEASURED));
            Locator panel = visit.page().locator("details.launch");
            panel.getByLabel("Format", new Locator.GetByLabelOptions().setExact(true))
                    .selectOption("leaderworkerset");
            assertThat(panel.locator("pre")).containsText("kind: LeaderWorkerSet");
            assertThat(panel.getByLabel("Include a benchmark")).isDisabled();
            panel.getByLabel("Format", new Locator.GetByLabelOptions().setExact(true))
                    .selectOption("dynamo");
            assertThat(panel.locator("pre")).containsText("kind: DynamoGraphDeployment");
            panel.getByLabel("Format", new Locator.GetByLabelOptions().setExact(true))
                    .selectOption("");
            assertThat(panel.locator("pre")).containsText("python -m sglang.launch_server");
            visit.assertNoBarriers();
        }
    }

    /// Numbers and files of autoscalers stand below the commands of a plan for a demand.
    @Test
    void aPlanForADemandHasThresholds() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(DEMAND));
            Locator panel = visit.page().locator("details.autoscale");
            panel.locator("summary").click();
            assertThat(panel.locator("pre")).containsText("kind: ScaledObject");
            assertThat(panel.locator("table")).containsText("target_concurrency");
            panel.getByLabel("Autoscaler").selectOption("dynamo");
            assertThat(panel.locator("pre")).containsText("mode: agg");
            panel.getByLabel("24 hourly requests/s, by comma").fill("0:1,3600:20");
            panel.getByLabel("24 hourly requests/s, by comma").press("Enter");
            assertThat(panel).containsText("device-hours; a fixed plan for the peak takes");
            visit.assertNoBarriers();
        }
    }

    @Test
    void howLongRequestsMayGetIsAskedOfEachLayout() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(MEASURED));
            visit.page().getByText("Maximum request length").click();
            Locator panel = visit.page().locator("details.contexts");
            assertThat(panel.locator("tbody tr")).hasCount(1);
            assertThat(panel.locator("tbody tr")).containsText("40,960");

            panel.getByLabel("Longest request at a concurrency").fill("1000000");
            assertThat(panel.locator("tbody tr")).not().containsText("40,960");
            panel.getByLabel("Max concurrency at a request length").fill("40000");
            assertThat(panel.locator("thead")).containsText("Max concurrency at 40,000 tokens");
            panel.getByLabel("Longest request at a concurrency").fill("0");
            assertThat(panel.locator("[aria-live]")).containsText("Longest request at a concurrency: ");
            visit.assertNoBarriers();
        }
    }

    /// Measured with SGLang: its commands stand first, whatever the first engine of the list is.
    @Test
    void thePanelOpensForThePlansEngine() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(MEASURED));
            Locator panel = visit.page().locator("details.launch");

            assertThat(panel.locator("pre")).containsText("python -m sglang.launch_server");
            assertThat(panel.getByLabel("Engine")).hasValue("sglang");
            visit.assertNoBarriers();
        }
    }

    @Test
    void everyRowOfTheTableHasItsCommandToCopy() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(MEASURED));
            visit.page().getByText("Copy commands of plan 1").first().click();

            assertThat(visit.page().locator("#announcer")).hasText("Copied");
            Assertions.assertThat((String) visit.page().evaluate("navigator.clipboard.readText()"))
                    .contains(", row 1, sglang ");
        }
    }

    @Test
    void enginesOfOtherDevicesCannotBeChosen() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.AGGREGATED.replace("TEST_DEVICE", "ATLAS_800_A2_376T_64G")));
            Locator panel = visit.page().locator("details.launch");

            assertThat(panel.getByLabel("Engine")).hasValue("vllm-ascend");
            assertThat(panel.locator("option[value='vllm']")).isDisabled();
            assertThat(panel.locator("option[value='vllm']"))
                    .hasAttribute("title", Pattern.compile("does not run on ATLAS_800_A2_376T_64G"));
            assertThat(panel.locator(".launch-refusals")).containsText("vLLM does not run on ATLAS_800_A2_376T_64G");
            assertThat(panel.locator("pre")).containsText("--quantization ascend");
        }
    }

    /// A pair on TEST_DEVICE can be tried on all engines; what no engine runs has nothing to copy.
    @Test
    void aRowThatNoEngineRunsHasNothingToCopy() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(NOWHERE));
            Locator panel = visit.page().locator("details.launch");

            assertThat(panel.locator(".launch-refusals")).containsText("it keeps no replicas of all experts");
            assertThat(panel.locator("pre")).isHidden();
            assertThat(panel.getByText("Copy", new Locator.GetByTextOptions().setExact(true)))
                    .isDisabled();
        }
    }
}
