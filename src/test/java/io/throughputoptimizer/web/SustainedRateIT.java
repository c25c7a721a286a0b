package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What an instance is said to serve stands beside what its passes leave time for.
class SustainedRateIT extends HttpTest {
    private static final String BEST = "result.devices[0].phases[0].best.";
    private static final String PAIR = "result.devices[0].pd_ratio.best.";

    @ParameterizedTest
    @ValueSource(strings = {"documented", "steady"})
    void anInstanceThatDoesBothPromisesNoMoreThanItSustains(String accounting) {
        JsonPath answer = optimize(aggregated(accounting)).extract().jsonPath();

        assertThat(answer.getDouble(BEST + "tokens_per_s") / 200)
                .isLessThanOrEqualTo(answer.getDouble(BEST + "sustained_qps") * (1 + 1e-6));
        assertThat(report(answer.getString("id"), "text/plain")).contains("| Sustained (req/s) |");
    }

    /// The second call asks for the input tokens a second that the same devices make, 1000 a request.
    @Test
    void aPrefillInstanceOfAPairSaysWhatItsTokensSufficeFor() {
        JsonPath pairs = optimize("""
                {"model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"], "num_devices": 16, "mode": "pd_ratio",
                 "accounting": "steady", "workload": {"input_length": 1000, "output_length": 500},
                 "slo": {"ttft_ms": 2000, "tpot_ms": 30}, "serving": {"compile": true},
                 "pd_ratio": {"prefill_devices_per_instance": 2, "decode_devices_per_instance": 2}}""")
                .body(
                        PAIR + "warnings",
                        contains("a prefill instance promises 155.356 requests/s, but the time of its passes suffices"
                                + " for 147.793"))
                .extract()
                .jsonPath();
        JsonPath prefill = optimize("""
                {"model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"], "num_devices": 2, "mode": "disaggregation",
                 "accounting": "steady", "workload": {"input_length": 1000, "output_length": 500},
                 "slo": {"ttft_ms": 2000}, "serving": {"compile": true}}""").extract().jsonPath();

        assertThat(pairs.getDouble(PAIR + "p_sustained_qps"))
                .isCloseTo(prefill.getDouble(BEST + "tokens_per_s") / 1000, within(0.05));
        assertThat(pairs.getDouble(PAIR + "d_sustained_qps")).isCloseTo(pairs.getDouble(PAIR + "d_qps"), within(0.01));
        assertThat(report(pairs.getString("id"), "text/csv")).contains(",p_sustained_qps,d_sustained_qps,");
    }

    /// Of the side that has the least time for its requests.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"accounting\": \"documented\"",
                "\"accounting\": \"steady\"",
                "\"cost_model\": \"calibrated\", \"engine\": {\"backend\": \"vllm\"},"
                        + " \"quantization\": {\"scheme\": \"FP8\"}, \"search\": {\"tp_sizes\": []}"
            })
    void allInstancesOfAPairSayWhatTheirTimeSufficesFor(String cost) {
        JsonPath pairs = optimize("""
                {%s, "model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"], "num_devices": 16, "mode": "pd_ratio",
                 "workload": {"input_length": 1000, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 30},
                 "pd_ratio": {"prefill_devices_per_instance": [1, 2], "decode_devices_per_instance": [2, 4]}}""".formatted(cost)).extract().jsonPath();

        List<Map<String, Object>> rows = pairs.getList("result.devices[0].pd_ratio.rows");
        assertThat(rows)
                .isNotEmpty()
                .allSatisfy(row -> assertThat(number(row, "sustained_qps"))
                        .isEqualTo(Math.min(
                                number(row, "prefill_instances") * number(row, "p_sustained_qps"),
                                number(row, "decode_instances") * number(row, "d_sustained_qps"))));
        String id = pairs.getString("id");
        assertThat(records(report(id, "text/csv")))
                .zipSatisfy(
                        rows,
                        (line, row) -> assertThat(Double.parseDouble(line.getField("sustained_qps")))
                                .isCloseTo(number(row, "sustained_qps"), within(1e-3)));
        assertThat(report(id, "text/plain")).contains("| Sustained (req/s) |");
    }

    private static double number(Map<String, Object> row, String member) {
        return ((Number) requireNonNull(row.get(member), member)).doubleValue();
    }

    /// `b / (b P + osl D)` of each rank, which the row has in milliseconds.
    @Test
    void replicasOnMeasuredDevicesSustainWhatTheirStepsLeaveTimeFor() {
        JsonPath answer = optimize("""
                {"cost_model": "calibrated", "model_id": "meta-llama/Meta-Llama-3.1-70B", "devices": ["H100_SXM"],
                 "num_devices": 8, "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
                 "workload": {"input_length": 3500, "output_length": 512}, "slo": {"ttft_ms": 5000, "tpot_ms": 66}}""")
                .body(BEST + "warnings", nullValue())
                .body(BEST + "parallel.dp", equalTo(1))
                .extract()
                .jsonPath();
        double running = answer.getDouble(BEST + "running");
        double millis = running * answer.getDouble(BEST + "prefill_ms") + 512 * answer.getDouble(BEST + "decode_ms");

        assertThat(answer.getDouble(BEST + "sustained_qps"))
                .isCloseTo(answer.getInt(BEST + "replicas") * 1000 * running / millis, within(1e-6))
                .isGreaterThan(answer.getDouble(BEST + "qps"));
    }

    private static String aggregated(String accounting) {
        return """
                {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
                 "workload": {"input_length": 6000, "output_length": 200}, "serving": {"compile": true},
                 "slo": {"tpot_ms": 100}, "accounting": "%s"}""".formatted(accounting);
    }
}
