package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;

import io.restassured.path.json.JsonPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Models whose layers see a window, in whatever prices them.
class SlidingWindowIT extends HttpTest {
    private static final String PASS = """
            {"model_id": "openai/gpt-oss-120b", "device": "ATLAS_800_A3_752T_128G_DIE", "num_devices": 8,
             "compile": true, "accounting": "steady",
             "pass": {"phase": "decode", "concurrency": 64, "query_len": 1, "seq_len": %d}}""";

    private static final String SEARCH = """
            {"model_id": "openai/gpt-oss-120b", "devices": ["ATLAS_800_A3_752T_128G_DIE"], "num_devices": 8,
             "mode": "%s", "accounting": "%s", "serving": {"compile": true},
             "workload": {"input_length": 4000, "output_length": 500}, "slo": {"tpot_ms": 50}}""";

    private static final String TP_8 = "\"search\": {\"tp_sizes\": [8]}, \"slo\"";

    /// Every other of 36 layers keeps 8 heads of 64 elements in float16, one for each of 8 ranks.
    @Test
    void anEstimateKeepsTheWindowOfEveryOtherLayer() {
        double perBlock = 128 * 2 * 64 * 2 / Math.pow(2, 30);
        JsonPath near = estimate(PASS.formatted(4_000));
        JsonPath far = estimate(PASS.formatted(8_000));

        assertThat(near.getDouble("memory.kv_cache_gb")).isEqualTo(18 * (2_001 + 65) * perBlock);
        assertThat(far.getDouble("memory.kv_cache_gb")).isEqualTo(18 * (4_001 + 65) * perBlock);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "openai/gpt-oss-120b",
                "XiaomiMiMo/MiMo-V2-Flash",
                "google/gemma-4-26B-A4B-it",
                "meta-llama/Llama-4-Scout-17B-16E-Instruct"
            })
    void searchesFindLayouts(String model) {
        for (String mode : new String[] {"aggregation", "disaggregation"}) {
            JsonPath answer = optimize(SEARCH.formatted(mode, "steady").replace("openai/gpt-oss-120b", model))
                    .extract()
                    .jsonPath();

            assertThat(answer.getDouble("result.devices[0].phases[0].best.tokens_per_s"))
                    .isPositive();
        }
    }

    /// Layers that see all tokens have 4 heads of keys and values, those with a window 8.
    @Test
    void theCatalogueShowsTheHeadsOfLayersThatSeeAll() {
        api().get("/api/v1/models/XiaomiMiMo/MiMo-V2-Flash")
                .then()
                .statusCode(200)
                .body("attention.key_value_heads", equalTo(4))
                .body("attention.head_size", equalTo(192))
                .body("attention.value_size", equalTo(128))
                .body("attention.window", equalTo(128))
                .body("pricing.outcome", contains("flagged", "priced"));
    }

    /// A decode step halfway through the output, priced by itself as the search did.
    @Test
    void aRowFollowsFromAnEstimate() {
        JsonPath best = optimize(SEARCH.formatted("disaggregation", "steady").replace("\"slo\"", TP_8))
                .extract()
                .jsonPath()
                .setRootPath("result.devices[0].phases[0].best");
        String parallel = "\"parallel\": {\"tp\": 8, \"ep\": %s, \"moe_dp\": %s}, \"compile\""
                .formatted(best.getString("parallel.ep"), best.getString("parallel.moe_dp"));
        JsonPath step = estimate(PASS.formatted(4_000 + 250 + 1)
                .replace("64,", best.getInt("concurrency") + ",")
                .replace("\"compile\"", parallel));

        assertThat(best.getDouble("tpot_ms")).isCloseTo(step.getDouble("latency_ms"), within(5e-4));
        assertThat(best.getDouble("memory.kv_cache_gb")).isPositive();
    }

    @Test
    void whatAsksForTheReferenceIsToldOfTheWay() {
        json(SEARCH.formatted("aggregation", "documented"))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/model_id"));
    }

    @Test
    void anAccountingOfPassesIsOneOfTheAnalyticModel() {
        json("""
                {"model_id": "openai/gpt-oss-120b", "device": "H100_SXM", "cost_model": "calibrated",
                 "accounting": "steady", "engine": {"backend": "vllm"}, "quantization": {"scheme": "MXFP4_EXPERTS"},
                 "pass": {"phase": "decode", "concurrency": 4, "query_len": 1, "seq_len": 100}}""").post("/api/v1/estimates").then().statusCode(400).body("errors.pointer", contains("/accounting"));
    }

    /// Linear attention goes on from its state token by token, and keeps it.
    @Test
    void anEstimateIsMadeOfThePassesOfASearch() {
        String request = PASS.formatted(4_000).replace("openai/gpt-oss-120b", "Qwen/Qwen3.5-27B");

        json(request).post("/api/v1/estimates").then().statusCode(200).body("linear_attention", equalTo("recurrent"));
        json(request.replace("steady", "documented"))
                .post("/api/v1/estimates")
                .then()
                .statusCode(200)
                .body("linear_attention", not(equalTo("recurrent")));
    }

    private JsonPath estimate(String request) {
        return json(request)
                .post("/api/v1/estimates")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
    }
}
