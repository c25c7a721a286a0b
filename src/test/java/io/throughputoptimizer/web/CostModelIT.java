package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/// Cost models that the service chooses.
class CostModelIT extends HttpTest {
    private static final String ESTIMATES = "/api/v1/estimates";
    private static final String QUESTION = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"], "num_devices": 2, "search": {"tp_sizes": [1, 2]},
             "workload": {"input_length": 1000, "output_length": 200}, "slo": {"tpot_ms": 50}}""";
    private static final String PASS = """
            {"model_id": "Qwen/Qwen3-8B", "device": "H200_SXM",
             "pass": {"phase": "decode", "concurrency": 4, "query_len": 1, "seq_len": 1000}}""";
    private static final String CHOICE = "assumptions.find { it.about == 'cost_model' }";
    private static final String REASON = "result.devices[0]." + CHOICE;
    private static final String CALIBRATED = "cost model calibrated: all devices were compared with measured servers";

    private static String stating(String costModel, String request) {
        return request.replaceFirst("\\{", "{\"cost_model\": \"" + costModel + "\", ");
    }

    private void assertEffectiveRequestHasTheSameAnswer(JsonPath answer) {
        JsonPath repeated = optimize(JsonMapper.shared().writeValueAsString(answer.getMap("request")))
                .body(REASON, nullValue())
                .extract()
                .jsonPath();
        assertThat(repeated.getList("result.devices.phases"))
                .isNotEmpty()
                .isEqualTo(answer.getList("result.devices.phases"));
    }

    @Test
    void choosesCalibratedOnComparedDevices() {
        JsonPath answer = optimize(QUESTION)
                .body("request.cost_model", equalTo("calibrated"))
                .body("request.engine.backend", equalTo("vllm"))
                .body("request.quantization.scheme", equalTo("BF16"))
                .body(REASON + ".text", equalTo(CALIBRATED))
                .body(REASON + ".asked", equalTo(false))
                .extract()
                .jsonPath();

        assertEffectiveRequestHasTheSameAnswer(answer);
        optimize(stating("auto", QUESTION)).body(REASON + ".text", equalTo(CALIBRATED));
    }

    @Test
    void choosesAnalyticOnOtherDevices() {
        JsonPath answer = optimize(QUESTION.replace("H200", "A100"))
                .body("request.cost_model", equalTo("analytic"))
                .body("request.engine", nullValue())
                .body(REASON + ".text", equalTo("cost model analytic: A100_SXM was not compared with measured servers"))
                .extract()
                .jsonPath();

        assertEffectiveRequestHasTheSameAnswer(answer);
    }

    @Test
    void keepsAStatedCostModel() {
        optimize(stating("analytic", QUESTION))
                .body("request.cost_model", equalTo("analytic"))
                .body("request.quantization.linear", equalTo("W8A8_DYNAMIC"))
                .body(REASON, nullValue());
        optimize(stating("calibrated", QUESTION))
                .body("request.cost_model", equalTo("calibrated"))
                .body("request.engine.backend", equalTo("vllm"))
                .body("request.quantization.scheme", equalTo("BF16"))
                .body(REASON, nullValue());
    }

    @Test
    void choosesForEstimates() {
        json(PASS).post(ESTIMATES).then().statusCode(200).body(CHOICE + ".text", equalTo(CALIBRATED));
        json(PASS.replace("\"pass\"", "\"compile\": true, \"pass\""))
                .post(ESTIMATES)
                .then()
                .statusCode(200)
                .body(CHOICE + ".text", equalTo("cost model analytic: calibrated does not support compile"));
        json(stating("analytic", PASS)).post(ESTIMATES).then().statusCode(200).body(CHOICE, nullValue());
    }

    @ParameterizedTest
    @ValueSource(strings = {OPTIMIZATIONS, ESTIMATES})
    void rejectsUnknownCostModels(String path) {
        json(stating("silicon", path.equals(ESTIMATES) ? PASS : QUESTION))
                .post(path)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/cost_model"))
                .body("errors[0].detail", containsString("auto"));
    }

    @Test
    void rejectsRequestsWithoutDevices() {
        json(QUESTION.replace("\"devices\": [\"H200_SXM\"],", ""))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/devices"))
                .body("errors[0].detail", containsString("\"devices\": [\"H100_SXM\"]"));
        json(PASS.replace("\"device\": \"H200_SXM\",", ""))
                .post(ESTIMATES)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/device"))
                .body("errors[0].detail", containsString("\"device\": \"H100_SXM\""));
    }
}
