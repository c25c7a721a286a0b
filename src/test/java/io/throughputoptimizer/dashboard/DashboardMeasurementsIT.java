package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.FilePayload;
import com.microsoft.playwright.options.RequestOptions;
import io.throughputoptimizer.fixture.EveryNight;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a benchmark of a planner's own server measured, on the dashboard: from the commands of a plan to the plan that
/// knows it.
@EveryNight
class DashboardMeasurementsIT extends BrowserTest {
    private static final String PLAN = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 2,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "search": {"tp_sizes": [2]},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 30}}""";

    /// Of a server whose steps take 2 ms longer than measured kernels explain.
    private static final List<String> RUNS = List.of(run(1, 11.6, 205), run(9, 13.6, 275), run(40, 21.2, 540));

    /// What `vllm bench serve --save-result` writes, but for what it writes of each request.
    static String run(int concurrency, double tpot, double ttft) {
        int prompts = 10 * concurrency;
        double seconds = 10 * (ttft + 1499 * tpot) / 1000;
        return """
                {"date": "20261123-090000", "endpoint_type": "vllm", "backend": "vllm", "label": null,
                 "model_id": "Qwen/Qwen3-32B", "tokenizer_id": "Qwen/Qwen3-32B", "num_prompts": %1$d,
                 "request_rate": "inf", "burstiness": 1.0, "max_concurrency": %2$d, "duration": %3$s, "completed": %1$d,
                 "failed": 0, "total_input_tokens": %4$d, "total_output_tokens": %5$d, "request_throughput": %6$s,
                 "output_throughput": %7$s, "mean_ttft_ms": %8$s, "mean_tpot_ms": %9$s}""".formatted(
                        prompts,
                        concurrency,
                        seconds,
                        3500 * prompts,
                        1500 * prompts,
                        prompts / seconds,
                        1500 * prompts / seconds,
                        ttft,
                        tpot);
    }

    @Test
    void aPlanIsCheckedAndPlannedAgainWithWhatWasMeasured() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(PLAN));
            String before = visit.bestInWords().textContent();
            Locator launch = visit.page().locator("details.launch");
            assertThat(launch.locator("pre")).containsText("vllm serve");
            launch.getByLabel("Include a benchmark").check();
            assertThat(launch.locator("pre")).containsText("vllm bench serve");
            assertThat(launch.locator("pre")).containsText("/api/v1/measurements/from-file");

            Locator panel = opened(visit);
            panel.getByLabel("Engine version").fill("0.11.0");
            choose(panel, RUNS.toArray(String[]::new));
            assertThat(panel.locator("tbody tr")).hasCount(3);
            assertThat(panel.locator("tbody tr").last()).containsText("21.2");
            assertThat(panel.locator(".chart").first())
                    .hasAttribute("aria-label", Pattern.compile("Chart: TPOT \\(ms\\)\\..*"));
            assertThat(panel.locator(".series-legend").first()).containsText("measured");
            visit.assertNoBarriers();
            visit.button("Recalculate with measurements").click();

            Locator learnt = visit.page().locator(".learnt");
            assertThat(learnt).containsText("Each step takes");
            assertThat(learnt).containsText("6 values of 3 rows used");
            Locator chart = learnt.locator(".chart-card").first();
            chart.getByText("Chart data").click();
            chart.getByLabel("Filter rows").fill("measured");
            assertThat(chart.locator("tbody tr")).hasCount(3);
            assertThat(chart.locator("tbody")).containsText("21.20");
            assertThat(learnt.getByLabel("Layouts with the model alone, and with measurements"))
                    .containsText("TP=2");
            assertThat(visit.bestInWords().textContent()).isNotEqualTo(before);
            visit.assertNoBarriers();
        }
    }

    @Test
    void aFileWaitsForTheVersionOfTheEngine() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(PLAN));
            Locator panel = opened(visit);
            panel.getByLabel("Benchmark result files")
                    .setInputFiles(
                            new FilePayload("run.json", "", RUNS.getFirst().getBytes(StandardCharsets.UTF_8)));

            assertThat(panel.locator(".error")).hasText("Enter the engine version to read run.json");
            assertThat(panel.getByLabel("Engine version")).isFocused();
            visit.page().keyboard().type("0.11.0");
            visit.page().keyboard().press("Tab");
            assertThat(panel.locator("tbody tr")).hasCount(1);
            assertThat(panel.locator(".error")).isHidden();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Qwen/Qwen3-32B|meta-llama/Meta-Llama-3.1-8B|The model must be the model of the file",
                "\"mean_tpot_ms\": 11.6|\"mean_tpot_ms\": -1|tpot",
                "\"total_input_tokens\": 35000,|\"total_input_tokens\": null,|total_input_tokens is required",
            })
    void aFileThatIsRefusedSaysWhyAndNothingIsKept(String from, String to, String why) {
        try (Visit visit = visit().expectRefusal()) {
            visit.openJob(visit.askForId(PLAN));
            Locator panel = opened(visit);
            panel.getByLabel("Engine version").fill("0.11.0");
            int known = known(visit);
            choose(panel, RUNS.getFirst().replace(from, to));

            assertThat(panel.locator(".error")).containsText(Pattern.compile("run-0.json: .*" + why));
            assertThat(panel.locator("tbody tr")).hasCount(0);
            assertThat(known(visit)).isEqualTo(known);
        }
    }

    @Test
    void aTeamSeesItsMeasurementsByModelAndDeviceAndDeletesThem() {
        try (Visit visit = visit()) {
            String id = bring(visit);
            visit.openSettings();
            visit.link("Measurements").click();
            Locator page = visit.page().locator("#measurements-view");
            assertThat(page.getByLabel(
                            "Models by device: rows, and median prediction error before and after calibration"))
                    .containsText("Qwen/Qwen3-32B");
            assertThat(page.getByLabel("Measurement sets, newest first")).containsText("vllm 0.11.0");
            visit.assertNoBarriers();

            page.locator("a[href='#/measurements/" + id + "']").click();
            assertThat(page.locator("h1")).hasText("Qwen/Qwen3-32B on H100_SXM, measured");
            assertThat(page.getByLabel("Measured and predicted, one instance")).containsText("inside the interval");
            visit.assertNoBarriers();
            page.getByText("Delete…").click();
            visit.confirmRemoval();

            assertThat(visit.page()).hasURL(Pattern.compile("#/measurements$"));
            assertThat(page.locator("a[href='#/measurements/" + id + "']")).hasCount(0);
            visit.expectRefusal().open("/measurements/" + id);
            assertThat(page.locator("h1")).hasText("Measurements not found");
        }
    }

    private static Locator opened(Visit visit) {
        Locator panel = visit.page().locator("details.measure");
        visit.tabTo(panel.locator("summary").first());
        visit.page().keyboard().press("Enter");
        assertThat(panel.getByLabel("Engine version")).isVisible();
        return panel;
    }

    private static void choose(Locator panel, String... runs) {
        FilePayload[] files = new FilePayload[runs.length];
        for (int run = 0; run < runs.length; run++) {
            files[run] = new FilePayload(
                    "run-" + run + ".json", "application/json", runs[run].getBytes(StandardCharsets.UTF_8));
        }
        panel.getByLabel("Benchmark result files").setInputFiles(files);
    }

    private static int known(Visit visit) {
        return visit.get("/api/v1/measurements", "application/json").text().split("created_at").length;
    }

    /// Brings a set past the page.
    private static String bring(Visit visit) {
        String rows = String.join("\n", RUNS);
        String set = visit.page()
                .context()
                .request()
                .post(
                        visit.origin()
                                + "/api/v1/measurements/from-file?model_id=Qwen/Qwen3-32B&device=H100_SXM&scheme=FP8&backend=vllm&version=0.11.0&tp=2",
                        RequestOptions.create()
                                .setHeader("Content-Type", "application/json")
                                .setData(rows.getBytes(StandardCharsets.UTF_8)))
                .text();
        return set.replaceFirst("(?s).*?\"id\":\"([^\"]*)\".*", "$1");
    }
}
