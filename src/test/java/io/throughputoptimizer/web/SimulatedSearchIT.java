package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.fixture.RequestEditor;
import org.junit.jupiter.api.Test;

/// Calibrated searches whose rows and limits are simulated, over HTTP.
class SimulatedSearchIT extends HttpTest {
    private static final String ROW = "result.devices[0].phases[0].rows[0].";
    private static final String SEARCH = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 4,
             "workload": {"input_length": 1024, "output_length": 256}, "engine": {"backend": "vllm"},
             "traffic": {"random_range_ratio": 0.8}, "quantization": {"scheme": "FP8"},
             "slo": {"tpot_ms": 30, "ttft_ms": 2000}, "search": {"tp_sizes": [2, 4], "batch_range": [1, 64]}}""";

    @Test
    void aRowsSimulationIsThatOfItsConfiguration() {
        JsonPath row = optimize(RequestEditor.with(SEARCH, "/percentiles", "true"))
                .extract()
                .jsonPath();
        json("""
                {"model_id": "Qwen/Qwen3-32B", "device": "H100_SXM", "num_devices": 4, "engine": {"backend": "vllm"},
                 "workload": {"input_length": 1024, "output_length": 256}, "quantization": {"scheme": "FP8"},
                 "parallel": {"tp": %d}, "traffic": {"concurrency": %d, "random_range_ratio": 0.8, "ttft_basis": "settled"}}""".formatted(row.getInt(ROW + "parallel.tp"), row.getInt(ROW + "concurrency")))
                .post("/api/v1/simulations")
                .then()
                .statusCode(200)
                .body("ttft_ms.p99", closeTo(row.getDouble(ROW + "simulation.ttft_ms.p99"), 1e-6))
                .body("tpot_ms.p90", closeTo(row.getDouble(ROW + "simulation.tpot_ms.p90"), 1e-6));
    }

    /// With equal lengths clients are staggered, and said to be; a simulation asks for the same by name.
    @Test
    void aRowOfEqualLengthsIsSimulatedWithStaggeredClients() {
        String equal = RequestEditor.with(RequestEditor.with(SEARCH, "/percentiles", "true"), "/traffic", "{}");
        JsonPath row = optimize(equal)
                .body(ROW + "simulation.stagger_ms", greaterThan(1000.0))
                .extract()
                .jsonPath();
        assertThat(report(row.getString("id"), "text/plain"))
                .contains("Simulated Clients: all at once, second requests spread over ");
        double p50 = row.getDouble(ROW + "simulation.ttft_ms.p50");
        simulate(row, "\"staggered\": true")
                .body("stagger_ms", closeTo(row.getDouble(ROW + "simulation.stagger_ms"), 1e-6))
                .body("ttft_ms.p50", closeTo(p50, 1e-6))
                .body("ttft_ms.p99", closeTo(row.getDouble(ROW + "simulation.ttft_ms.p99"), 1e-6))
                .body("tpot_ms.p90", closeTo(row.getDouble(ROW + "simulation.tpot_ms.p90"), 1e-6));
        simulate(row, "\"random_range_ratio\": 1")
                .body("stagger_ms", nullValue())
                .body("ttft_ms.p50", greaterThan(2 * p50));
    }

    private ValidatableResponse simulate(JsonPath row, String traffic) {
        return json("""
                {"model_id": "Qwen/Qwen3-32B", "device": "H100_SXM", "num_devices": 4, "engine": {"backend": "vllm"},
                 "workload": {"input_length": 1024, "output_length": 256}, "quantization": {"scheme": "FP8"},
                 "parallel": {"tp": %d}, "traffic": {"concurrency": %d, "ttft_basis": "settled", %s}}""".formatted(row.getInt(ROW + "parallel.tp"), row.getInt(ROW + "concurrency"), traffic))
                .post("/api/v1/simulations")
                .then()
                .statusCode(200);
    }

    /// What a limit on a percentile is held against is no artefact of requests in step.
    @Test
    void theMeanOfASimulationOfEqualLengthsIsNearThatOfTheLaw() {
        JsonPath answer = optimize("""
                        {"cost_model": "calibrated", "model_id": "deepseek-ai/DeepSeek-V3.1", "devices": ["H200_SXM"], "num_devices": 16,
                         "workload": {"input_length": 1346, "output_length": 295}, "slo": {"ttft_ms": 2000, "tpot_ms": 30, "percentile": 95, "ttft_basis": "benchmark"},
                         "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8_BLOCK"}}""").extract().jsonPath();
        double law = answer.getDouble(ROW + "ttft_ms");
        assertThat(answer.getDouble(ROW + "simulation.ttft_ms.mean")).isCloseTo(law, withinPercentage(25));
        assertThat(answer.getDouble(ROW + "simulation.ttft_ms.p50")).isLessThan(law);
        assertThat(answer.getDouble(ROW + "simulation.ttft_ms.p99")).isGreaterThan(law);
    }

    @Test
    void aWaveIsNeededBesideTheFirstThatIsLeftOut() {
        String settled = RequestEditor.with(
                RequestEditor.with(SEARCH, "/slo", "{\"ttft_ms\": 2000, \"ttft_basis\": \"settled\"}"),
                "/percentiles",
                "true");
        refuse(RequestEditor.with(settled, "/traffic/waves", "1.25"), "/traffic/waves", "first wave");
        String fewest = RequestEditor.with(
                RequestEditor.with(settled, "/traffic/waves", "1.5"), "/search/batch_range", "[1, 2]");
        optimize(fewest).body("status", equalTo("succeeded"));
    }

    private void refuse(String request, String pointer, String help) {
        json(request)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains(pointer))
                .body("errors[0].detail", containsString(help));
    }
}
