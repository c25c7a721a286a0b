package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Prefill and decode instances of several sizes, on kinds of device of their own, with a transfer between them.
class PairCountsIT extends HttpTest {
    private static final String PLAIN = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 16, "mode": "pd_ratio",
             "workload": {"input_length": 4096, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "search": {"tp_sizes": [2, 4]}, "serving": {"compile": true},
             "pd_ratio": {"prefill_devices_per_instance": 4, "decode_devices_per_instance": 8}}""";

    /// The service is asked for the same cache in a pass.
    @Test
    void theTransferHasTheBytesOfAnEstimate() {
        for (String model : List.of("Qwen/Qwen3-8B", "deepseek-ai/DeepSeek-V3", "MiniMaxAI/MiniMax-M2")) {
            String question = PLAIN.replace("Qwen/Qwen3-32B", model)
                    .replace("H100_SXM", "B200_SXM")
                    .replace("\"num_devices\": 16", "\"num_devices\": 32")
                    .replace("instance\": 4", "instance\": 16")
                    .replace("instance\": 8}", "instance\": 16, \"kv_transfer\": {\"gb_per_s\": 10}}")
                    .replace("\"slo\": {\"ttft_ms\": 2000, \"tpot_ms\": 50},", "");
            JsonPath estimate = json("""
                            {"cost_model": "analytic", "model_id": "%s", "device": "B200_SXM", "num_devices": 1, "compile": true,
                             "parallel": {"tp": 1},
                             "pass": {"phase": "decode", "concurrency": 1, "query_len": 1, "seq_len": 4096}}""".formatted(model))
                    .post("/api/v1/estimates")
                    .then()
                    .statusCode(200)
                    .extract()
                    .jsonPath();

            optimize(question)
                    .body(
                            "result.devices[0].pd_ratio.best.kv_transfer_gb.toDouble()",
                            equalTo(estimate.getDouble("memory.kv_cache_per_token_gb") * 4096));
        }
    }

    @Test
    void twoPlainSizesAreAnsweredAsEver() {
        JsonPath plain = optimize(PLAIN)
                .body("result.devices[0].pd_ratio.rows.requests_per_s_per_device", everyItem(nullValue()))
                .body("result.devices[0].pd_ratio.rows.devices_used", everyItem(nullValue()))
                .extract()
                .jsonPath();
        JsonPath listed = optimize(PLAIN.replace("instance\": 4", "instance\": [4]"))
                .extract()
                .jsonPath();

        assertThat(listed.<Object>get("result.devices")).isEqualTo(plain.get("result.devices"));
        assertThat(listed.<Object>get("request")).isEqualTo(plain.get("request"));
    }
}
