package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Models with recurrent, sparse, compressed and block attention through cost model `calibrated`.
class NewerAttentionIT extends HttpTest {
    private static final String MODELS = """
            Qwen/Qwen3.5-397B-A17B,        FP8_BLOCK,     8
            zai-org/GLM-5,                 FP8_BLOCK,     8
            deepseek-ai/DeepSeek-V4-Flash, FP8_MXFP4,     8
            deepseek-ai/DeepSeek-V3.2,     FP8_BLOCK,     8
            MiniMaxAI/MiniMax-M3,          FP8_BLOCK,     8
            moonshotai/Kimi-K3,            MXFP4_EXPERTS, 16
            """;

    private static String question(String model, String scheme, int devices, String more) {
        return """
                {"cost_model": "calibrated", "model_id": "%s", "devices": ["B200_SXM", "B300_SXM"],
                 "engine": {"backend": "sglang"}, "quantization": {"scheme": "%s"},
                 "workload": {"input_length": 4000, "output_length": 500},
                 "slo": {"ttft_ms": 20000, "tpot_ms": 100},
                 "search": {"tp_sizes": [%d]}%s}""".formatted(model, scheme, devices, more);
    }

    @ParameterizedTest
    @CsvSource(textBlock = MODELS)
    void aSearchIsExplainedAndItsBestStartedOnTwoDevices(String model, String scheme, int devices) {
        JsonPath search = optimize(
                        question(model, scheme, devices, ", \"num_devices\": " + devices + ", \"explain\": true"))
                .extract()
                .jsonPath();

        for (int device = 0; device < 2; device++) {
            String best = "result.devices[" + device + "].phases[0].best.";
            assertThat(search.getDouble(best + "tpot_ms")).isPositive().isLessThanOrEqualTo(100);
            assertThat(search.getDouble(best + "tpot_ms_band.low")).isPositive();
            assertThat(search.getString(best + "tpot_ms_band.basis")).isEqualTo("tpot/moe");
            assertThat(search.getString(best + "ttft_ms_band.basis")).isEqualTo("ttft/moe_other");
        }
        assertThat(search.getList("result.explanation.answers")).isNotEmpty();
        api().accept("application/json")
                .get(OPTIMIZATIONS + "/" + search.getString("id") + "/launch?engine=sglang")
                .then()
                .statusCode(200)
                .body("servers[0].options.option", hasItem("--tp-size " + devices));
    }

    @ParameterizedTest
    @CsvSource(textBlock = MODELS)
    void aDemandIsMetByAWholeNumberOfInstances(String model, String scheme, int devices) {
        JsonPath answer = optimize(question(
                        model,
                        scheme,
                        devices,
                        ", \"mode\": \"capacity\", \"num_devices\": 64, \"demand\": {\"concurrency\": 40}"))
                .extract()
                .jsonPath();

        assertThat(answer.getInt("result.capacity.best.num_devices")).isPositive();
        assertThat(answer.getInt("result.capacity.best.num_devices") % devices).isZero();
    }

    @ParameterizedTest
    @CsvSource(textBlock = MODELS)
    void aSimulationServesAll(String model, String scheme, int devices) {
        json("""
                {"model_id": "%s", "device": "B300_SXM", "engine": {"backend": "sglang"},
                 "quantization": {"scheme": "%s"}, "parallel": {"tp": %d},
                 "workload": {"input_length": 1000, "output_length": 100},
                 "traffic": {"concurrency": 4, "waves": 3}}""".formatted(model, scheme, devices))
                .post("/api/v1/simulations")
                .then()
                .statusCode(200)
                .body("tpot_ms.mean", greaterThan(0.0));
    }

    @Test
    void anEstimateSaysWhatARequestKeeps() {
        estimate("Qwen/Qwen3.5-397B-A17B", "FP8_BLOCK", "")
                .statusCode(200)
                .body("memory.request_bytes_per_token", greaterThan(0.0))
                .body("memory.request_bytes_constant", greaterThan(1e6))
                .body("operators.name", hasItems("gdn_conv", "gdn_update", "output_gate"));
        double whole =
                estimate("Qwen/Qwen3.5-397B-A17B", "FP8_BLOCK", "").extract().path("memory.request_bytes_constant");
        double half = estimate("Qwen/Qwen3.5-397B-A17B", "FP8_BLOCK", ", \"recurrent_state\": \"bfloat16\"")
                .extract()
                .path("memory.request_bytes_constant");
        assertThat(half).isGreaterThan(whole / 2).isLessThan(0.6 * whole);
    }

    @Test
    void statesOfAModelWithoutThemAndPrefixesOfAModelWithThemAreRefusedByName() {
        estimate("zai-org/GLM-5", "FP8_BLOCK", ", \"recurrent_state\": \"bfloat16\"")
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/engine/recurrent_state"));
        json(question("Qwen/Qwen3.5-397B-A17B", "FP8_BLOCK", 8, ", \"num_devices\": 8")
                        .replace("\"output_length\": 500", "\"output_length\": 500, \"prefix_cache_hit_rate\": 0.5"))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/workload/prefix_cache_hit_rate"));
    }

    private ValidatableResponse estimate(String model, String scheme, String engine) {
        return json("""
                {"cost_model": "calibrated", "model_id": "%s", "device": "B200_SXM", "parallel": {"tp": 8},
                 "engine": {"backend": "sglang"%s}, "quantization": {"scheme": "%s"},
                 "pass": {"phase": "decode", "concurrency": 8, "query_len": 1, "seq_len": 4000}}""".formatted(model, engine, scheme))
                .post("/api/v1/estimates")
                .then();
    }
}
