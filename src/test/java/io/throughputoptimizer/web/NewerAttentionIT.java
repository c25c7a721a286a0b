package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.Test;

/// Models with recurrent, sparse, compressed and block attention through cost model `calibrated`.
class NewerAttentionIT extends HttpTest {
    @Test
    void anEstimateSaysWhatARequestKeeps() {
        estimate("Qwen/Qwen3.5-397B-A17B", "FP8_BLOCK", "")
                .statusCode(200)
                .body("operators.name", hasItems("gdn_conv", "gdn_update", "output_gate"));
        double wide = requestsHeld("");
        double narrow = requestsHeld(", \"recurrent_state\": \"bfloat16\"");
        assertThat(narrow).isGreaterThan(1.5 * wide).isLessThan(2.1 * wide);
    }

    @Test
    void passesOfModelsWithoutAMemoryLawAreStillPriced() {
        estimate("moonshotai/Kimi-K3", "MXFP4_EXPERTS", "")
                .statusCode(200)
                .body("operators.name", hasItems("lm_head"))
                .body("memory", not(hasKey("kv_tokens")));
    }

    private double requestsHeld(String engine) {
        return estimate("Qwen/Qwen3.5-397B-A17B", "FP8_BLOCK", engine)
                .extract()
                .jsonPath()
                .getDouble("memory.requests_held");
    }

    @Test
    void statesOfAModelWithoutThemAndPrefixesOfAModelWithThemAreRefusedByName() {
        estimate("zai-org/GLM-5", "FP8_BLOCK", ", \"recurrent_state\": \"bfloat16\"")
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/engine/recurrent_state"));
        json("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3.5-397B-A17B", "devices": ["B200_SXM"], "num_devices": 8,
                 "engine": {"backend": "sglang"}, "quantization": {"scheme": "FP8_BLOCK"},
                 "workload": {"input_length": 4000, "output_length": 500, "prefix_cache_hit_rate": 0.5}}""")
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
