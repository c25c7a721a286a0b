package io.throughputoptimizer.web;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Names that the service accepts besides its own.
class AliasIT extends HttpTest {
    private ValidatableResponse post(String body) {
        return json(body).header("Prefer", "wait=60").post(OPTIMIZATIONS).then();
    }

    @Test
    void acceptsAliasesOfFields() {
        post("""
                {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "workload": {"isl": 1000, "osl": 100},
                 "slo": {"ttft": 5000, "tpot": 60}, "search": {"tp": [1], "batch_range": [1, 2]}}""")
                .statusCode(200)
                .body("request.workload.input_length", equalTo(1000))
                .body("request.workload.output_length", equalTo(100))
                .body("request.slo.ttft_ms", equalTo(5000.0))
                .body("request.slo.tpot_ms", equalTo(60.0))
                .body("request.search.tp_sizes", contains(1))
                .body("asked.workload.isl", nullValue())
                .body("asked.workload.input_length", equalTo(1000));
    }

    @ParameterizedTest
    @CsvSource({
        "h200_sxm, H200_SXM, 1",
        "H100, H100_SXM, 1",
        "gb200, GB200, 1",
        "8xH100, H100_SXM, 8",
        "2 x h200_sxm, H200_SXM, 2"
    })
    void acceptsAliasesOfDevices(String alias, String name, int count) {
        post("""
                {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["%s"], "workload": {"isl": 1000, "osl": 100},
                 "slo": {"tpot": 60}, "search": {"batch_range": [1, 2]}}""".formatted(alias))
                .statusCode(200)
                .body("request.devices", contains(name))
                .body("request.num_devices", equalTo(count))
                .body("result.devices.device", contains(name));
    }

    @Test
    void rejectsFieldGivenTwice() {
        post("""
                {"model_id": "Qwen/Qwen3-8B", "workload": {"isl": 1000, "input_length": 1000}}""").statusCode(400).body("errors[0].pointer", equalTo("/workload/input_length"));
    }

    @Test
    void rejectsSecondCount() {
        post("""
                {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["8xH100"], "num_devices": 4}""").statusCode(400).body("errors[0].pointer", equalTo("/num_devices"));
    }

    @Test
    void suggestsNearestName() {
        post("{\"model_id\": \"Qwen/Qwen3-8B\", \"slo\": {\"request_latency_ms\": 1, \"ttft_s\": 1}}")
                .statusCode(400);
        post("{\"model_id\": \"Qwen/Qwen3-8B\", \"workload\": {\"input_lenght\": 1}}")
                .statusCode(400)
                .body("detail", containsString("Did you mean \"input_length\"?"));
        post("{\"model_id\": \"Qwen/Qwen3-8B\", \"devices\": [\"H100_SMX\"], \"workload\": {\"isl\": 1, \"osl\": 1}, \"slo\": {\"tpot\": 60}}")
                .statusCode(400)
                .body("detail", containsString("H100_SXM"));
    }
}
