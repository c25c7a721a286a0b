package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.fixture.RequestEditor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The TTFT of a lasting load and that of a benchmark, over HTTP.
class TtftBasisIT extends HttpTest {
    private static final String ROW = "result.devices[0].phases[0].rows[0].";
    private static final String SEARCH = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 4,
             "workload": {"input_length": 1024, "output_length": 512}, "engine": {"backend": "vllm"},
             "quantization": {"scheme": "FP8"}, "search": {"tp_sizes": [2], "batch_range": [16, 16]}}""";

    /// Ten prompts a step, more than its token budget.
    private static final String SHORT = SEARCH.replace("\"output_length\": 512", "\"output_length\": 4")
            .replace("[16, 16]", "[64, 64]")
            .replace("\"vllm\"", "\"vllm\", \"max_batched_tokens\": 4096");

    @Test
    void aLastingLoadHasTheSettledTtftByDefault() {
        JsonPath answer = optimize(SEARCH)
                .body("request.slo.ttft_basis", equalTo("settled"))
                .body(ROW + "ttft_basis", equalTo("settled"))
                .body(ROW + "ttft_ms_band.basis", equalTo("ttft/dense of the mean"))
                .body("result.best.ttft_basis", equalTo("settled"))
                .body("result.summary", containsString(" with settled TTFT "))
                .extract()
                .jsonPath();

        double settled = answer.getDouble(ROW + "ttft_settled_ms");
        double burst = answer.getDouble(ROW + "ttft_burst_ms");
        assertThat(answer.getDouble(ROW + "ttft_ms")).isEqualTo(settled);
        assertThat(answer.getDouble("result.best.ttft_ms")).isEqualTo(settled);
        assertThat(burst).isGreaterThan(2 * settled);
        assertThat(report(answer.getString("id"), "text/plain")).contains("TTFT Basis: settled");

        JsonPath benchmark = optimize(RequestEditor.with(SEARCH, "/traffic/waves", "10"))
                .body("request.slo.ttft_basis", equalTo("benchmark"))
                .body(ROW + "ttft_basis", equalTo("benchmark"))
                .body(ROW + "ttft_ms_band.basis", equalTo("ttft/dense"))
                .body("result.summary", not(containsString("settled")))
                .extract()
                .jsonPath();
        assertThat(benchmark.getDouble(ROW + "ttft_ms")).isCloseTo(0.1 * burst + 0.9 * settled, within(1e-9));
        assertThat(benchmark.getDouble(ROW + "tokens_per_s")).isEqualTo(answer.getDouble(ROW + "tokens_per_s"));
    }

    @Test
    void theStatedBasisDecides() {
        String waves = RequestEditor.with(SEARCH, "/traffic/waves", "10");
        optimize(RequestEditor.with(waves, "/slo/ttft_basis", "\"settled\""))
                .body(ROW + "ttft_basis", equalTo("settled"));
        optimize(RequestEditor.with(SEARCH, "/slo/ttft_basis", "\"benchmark\""))
                .body(ROW + "ttft_basis", equalTo("benchmark"));
        json(RequestEditor.with(SEARCH, "/slo/ttft_basis", "\"steady\""))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/slo/ttft_basis"))
                .body("errors[0].detail", containsString("benchmark"))
                .body("errors[0].detail", containsString("settled"));
    }

    /// The effective request asks for the same.
    @Test
    void theEffectiveRequestKeepsItsBasis() {
        JsonPath first = optimize(SEARCH).extract().jsonPath();
        assertThat(first.getDouble("request.traffic.waves")).isEqualTo(10);
        String again = WireFormat.write(first.getMap("request"));
        optimize(again).body(ROW + "ttft_ms", closeTo(first.getDouble(ROW + "ttft_ms"), 1e-9));
    }

    @Test
    void theTargetAppliesToTheBasis() {
        JsonPath row = optimize(SEARCH).extract().jsonPath();
        double between = (row.getDouble(ROW + "ttft_settled_ms")
                        + row.getDouble(ROW + "ttft_burst_ms") / 10
                        + 0.9 * row.getDouble(ROW + "ttft_settled_ms"))
                / 2;
        String limited = RequestEditor.with(SEARCH, "/slo/ttft_ms", String.valueOf(between));
        optimize(limited).body(ROW + "concurrency", equalTo(row.get(ROW + "concurrency")));
        optimize(RequestEditor.with(limited, "/traffic/waves", "10"))
                .body(ROW.replace("rows[0].", "best"), nullValue())
                .body("result.devices[0].phases[0].rejected[0].reason", equalTo("ttft"));
    }

    /// From half a prompt per step on, the TTFT is that of the simulation.
    @Test
    void theSimulationDecidesTheTtftOfCrowdedSteps() {
        JsonPath row = optimize(RequestEditor.with(SHORT, "/percentiles", "true"))
                .body(ROW + "flags", hasItem("saturated"))
                .extract()
                .jsonPath();
        assertThat(row.getDouble(ROW + "ttft_ms"))
                .isCloseTo(row.getDouble(ROW + "simulation.ttft_ms.mean"), within(1e-6));
        assertThat(row.getDouble(ROW + "tpot_ms"))
                .isCloseTo(row.getDouble(ROW + "simulation.tpot_ms.mean"), withinPercentage(15));
        assertThat(row.getDouble(ROW + "tokens_per_s"))
                .isCloseTo(row.getDouble(ROW + "simulation.tokens_per_s"), withinPercentage(15));
    }

    /// TensorRT-LLM, Llama-3.3-70B FP8 on two H100s: https://docs.nvidia.com/nim/benchmarking/llm/1.0.0/performance,
    /// NIM 1.8, 5,000 + 500 tokens.
    @ParameterizedTest
    @CsvSource({"1, 406.77", "5, 546.7", "25, 688.69", "50, 834.51"})
    void theSettledTtftIsNearThatOfAPublishedServer(int concurrency, double measured) {
        JsonPath row = optimize("""
                        {"cost_model": "calibrated", "model_id": "meta-llama/Llama-3.3-70B-Instruct",
                         "devices": ["H100_SXM"], "num_devices": 2, "engine": {"backend": "trtllm"},
                         "quantization": {"scheme": "FP8"}, "workload": {"input_length": 5000, "output_length": 500},
                         "search": {"tp_sizes": [2], "batch_range": [%1$d, %1$d]}}""".formatted(concurrency)).extract().jsonPath();
        assertThat(row.getDouble(ROW + "ttft_ms")).isCloseTo(measured, withinPercentage(15));
    }

    @Test
    void aSimulationLeavesOutTheFirstWaveIfAsked() {
        String simulation = """
                {"model_id": "Qwen/Qwen3-32B", "device": "H100_SXM", "num_devices": 2, "engine": {"backend": "vllm"},
                 "workload": {"input_length": 1024, "output_length": 512}, "quantization": {"scheme": "FP8"},
                 "parallel": {"tp": 2}, "traffic": {"concurrency": 16, "staggered": true}}""";
        double all = simulate(simulation, 200).getDouble("ttft_ms.mean");
        double settled = simulate(RequestEditor.with(simulation, "/traffic/ttft_basis", "\"settled\""), 200)
                .getDouble("ttft_ms.mean");
        assertThat(settled).isLessThan(0.9 * all);
        String row = RequestEditor.with(SEARCH, "/percentiles", "true");
        assertThat(optimize(row).extract().jsonPath().getDouble(ROW + "simulation.ttft_ms.mean"))
                .isCloseTo(settled, within(1e-6));

        String one = RequestEditor.with(
                simulation, "/traffic", "{\"concurrency\": 16, \"waves\": 1, \"ttft_basis\": \"settled\"}");
        assertThat(simulate(one, 400).getString("errors[0].pointer")).isEqualTo("/traffic/waves");
        String open = RequestEditor.with(simulation, "/traffic", "{\"request_rate\": 1, \"ttft_basis\": \"settled\"}");
        assertThat(simulate(open, 400).getString("errors[0].pointer")).isEqualTo("/traffic/ttft_basis");
    }

    private JsonPath simulate(String simulation, int status) {
        return json(simulation)
                .post("/api/v1/simulations")
                .then()
                .statusCode(status)
                .extract()
                .jsonPath();
    }
}
