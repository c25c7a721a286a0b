package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.restassured.path.json.JsonPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A whole search of each family that came after the first ones: its rows are made of the passes that estimates
/// price.
class FamilyIT extends HttpTest {
    private static final int INPUT = 2000;
    private static final int OUTPUT = 500;
    /// Figures of rows are rounded to three decimals.
    private static final double ROUNDING = 5e-4;

    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3.5-27B, 8, 1",
        "MiniMaxAI/MiniMax-M3, 32, 1",
        "deepseek-ai/DeepSeek-V4-Flash, 16, 1",
        "google/gemma-3-27b-it, 8, 0",
        "ByteDance-Seed/Seed-OSS-36B-Instruct, 8, 0",
        "zai-org/GLM-4.5V, 16, 0",
        "LGAI-EXAONE/EXAONE-4.0-32B, 8, 0",
        "baidu/ERNIE-4.5-21B-A3B-PT, 8, 0",
        "inclusionAI/Ling-mini-2.0, 8, 0"
    })
    void aRowFollowsFromEstimatesByTheServingFormulas(String model, int devices, int drafts) {
        JsonPath search = optimize("""
                {"model_id": "%s", "devices": ["ATLAS_800_A3_752T_128G_DIE"], "num_devices": %d,
                 "mode": "disaggregation", "workload": {"input_length": %d, "output_length": %d},
                 "serving": {"compile": true, "num_mtp_tokens": %d, "mtp_acceptance_rate": [0.9]},
                 "slo": {"ttft_ms": 20000, "tpot_ms": 80}, "search": {"tp_sizes": [4, 8]}}""".formatted(model, devices, INPUT, OUTPUT, drafts))
                .extract()
                .jsonPath();

        String prompt = "\"prefill\", \"concurrency\": %d, \"query_len\": %d, \"seq_len\": %d"
                .formatted(concurrency(search, 0), INPUT, INPUT);
        assertThat(search.getDouble("result.devices[0].phases[0].best.ttft_ms"))
                .isCloseTo(latency(search, 0, prompt), within(ROUNDING));
        int query = drafts + 1;
        String step = "\"decode\", \"concurrency\": %d, \"query_len\": %d, \"seq_len\": %d"
                .formatted(concurrency(search, 1), query, INPUT + OUTPUT / 2 + query);
        assertThat(search.getDouble("result.devices[0].phases[1].best.tpot_ms"))
                .isCloseTo(latency(search, 1, step) / (1 + 0.9 * drafts), within(ROUNDING));
    }

    @Test
    void anEstimateThatIsToldOfItsContextGoesOnFromStates() {
        String step = """
                {"model_id": "Qwen/Qwen3.5-27B", "device": "TEST_DEVICE", "num_devices": 4, "compile": true,
                 "pass": {"phase": "decode", "concurrency": 8, "query_len": 1, "seq_len": 2001}}""";
        String told = step.replace("\"seq_len\"", "\"context_length\": 2000, \"seq_len\"");

        assertThat(estimate(step, 200).getString("linear_attention")).isEqualTo("chunks");
        assertThat(estimate(told, 200).getString("linear_attention")).isEqualTo("recurrent");
        assertThat(estimate(told.replace("2000", "1999"), 400).getString("errors[0].detail"))
                .contains("must be seq_len - query_len (2000), got 1999");
    }

    /// What a selection costs to read was fitted on one request.
    @Test
    void stepsOfSeveralRequestsOverSelectionsCarryAWarning() {
        String step = """
                {"model_id": "zai-org/GLM-5", "device": "ATLAS_800_A3_752T_128G_DIE", "num_devices": 16, "compile": true,
                 "parallel": {"tp": 16}, "pass": {"phase": "%s", "concurrency": %d, "query_len": %d, "seq_len": 4001}}""";

        assertThat(estimate(step.formatted("decode", 1, 1), 200).getList("warnings"))
                .isNull();
        assertThat(estimate(step.formatted("prefill", 8, 4001), 200).getList("warnings"))
                .isNull();
        assertThat(estimate(step.formatted("decode", 8, 1), 200).getString("warnings[0]"))
                .startsWith("sparse attention of 8 requests that decode on a rank is extrapolated from one");
    }

    /// MiniMax-M3 was measured neither with 4-bit weights nor on a quantized cache.
    @Test
    void whatWasNeverMeasuredIsRefusedByNameAndNotListed() {
        String step = """
                {"model_id": "MiniMaxAI/MiniMax-M3", "device": "TEST_DEVICE", "num_devices": 8, "parallel": {"tp": 8}, "compile": true,
                 "quantization": {"linear": "%s", "attention": "%s"},
                 "pass": {"phase": "decode", "concurrency": 8, "query_len": 1, "seq_len": 2001}}""";
        JsonPath weights = estimate(step.formatted("MXFP4", "DISABLED"), 400);
        JsonPath cache = estimate(step.formatted("FP8", "FP8"), 400);
        JsonPath supported =
                api().get("/api/v1/models/MiniMaxAI/MiniMax-M3").jsonPath().setRootPath("supported");

        assertThat(weights.getString("errors[0].pointer")).isEqualTo("/quantization/linear");
        assertThat(cache.getString("errors[0].pointer")).isEqualTo("/quantization/attention");
        assertThat(supported.getList("linear", String.class))
                .contains("DISABLED", "W8A8_STATIC", "FP8")
                .doesNotContain("W4A8_DYNAMIC", "MXFP4");
        assertThat(supported.getList("attention", String.class)).containsExactly("DISABLED");
        assertThat(supported.getList("compile", Boolean.class)).containsExactly(true, false);
        assertThat(supported.getBoolean("images")).isFalse();
        assertThat(json("""
                        {"model_id": "MiniMaxAI/MiniMax-M3", "devices": ["TEST_DEVICE"], "num_devices": 8,
                         "mode": "disaggregation", "workload": {"input_length": 2000, "output_length": 500},
                         "serving": {"compile": true}, "slo": {"tpot_ms": 60}, "search": {"tp_sizes": [8]},
                         "quantization": {"linear": "W4A8_STATIC"}}""")
                        .post(OPTIMIZATIONS)
                        .then()
                        .statusCode(400)
                        .extract()
                        .jsonPath()
                        .getString("errors[0].pointer"))
                .isEqualTo("/quantization/linear");
    }

    private JsonPath estimate(String request, int status) {
        return json(request)
                .post("/api/v1/estimates")
                .then()
                .statusCode(status)
                .extract()
                .jsonPath();
    }

    /// Latency of a pass on the best layout of a phase.
    private double latency(JsonPath search, int phase, String pass) {
        String parallel = "result.devices[0].phases[%d].best.parallel.".formatted(phase);
        String request = """
                {"model_id": "%s", "device": "ATLAS_800_A3_752T_128G_DIE", "num_devices": %d, "compile": true,
                 "num_mtp_tokens": %d, "parallel": {"tp": %d, "ep": %s, "moe_dp": %s}, "pass": {"phase": %s}}""".formatted(
                        search.getString("request.model_id"),
                        search.getInt("request.num_devices"),
                        search.getInt("request.serving.num_mtp_tokens"),
                        search.getInt(parallel + "tp"),
                        search.getString(parallel + "ep"),
                        search.getString(parallel + "moe_dp"),
                        pass);
        return estimate(request, 200).getDouble("latency_ms");
    }

    private static int concurrency(JsonPath search, int phase) {
        return search.getInt("result.devices[0].phases[%d].best.concurrency".formatted(phase));
    }
}
