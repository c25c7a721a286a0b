package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Decode context parallelism from the request to every answer.
class DecodeContextIT extends HttpTest {
    private static final int INPUT = 3000;
    private static final int OUTPUT = 500;
    /// Figures of rows are rounded to three decimals.
    private static final double ROUNDING = 5e-4;

    private static final String SEARCH = """
            {"cost_model": "analytic", "model_id": "deepseek-ai/DeepSeek-V3.1", "devices": ["ATLAS_800_A3_752T_128G_DIE"], "num_devices": 16,
             "mode": "disaggregation", "workload": {"input_length": 3000, "output_length": 500},
             "serving": {"compile": true}, "slo": {"ttft_ms": 20000, "tpot_ms": 100},
             "search": {"tp_sizes": [8], "batch_range": [1, 64], "dcp_sizes": [1, 4, 3]}}""";
    private static final String LAYOUT = "TP=8 | PP=1 | DP=2 | EP=16 | MOE-TP=1 | MOE-DP=1";

    private static final String ESTIMATE = """
            {"model_id": "%s", "device": "ATLAS_800_A3_752T_128G_DIE", "num_devices": 16, "compile": true,
             "parallel": {"tp": 8, "dcp": %d},
             "pass": {"phase": "%s", "concurrency": %d, "query_len": %d, "seq_len": %d}}""";

    @Test
    void rowsSayTheirSizeAndFollowFromEstimates() {
        JsonPath search = optimize(SEARCH)
                .body("result.search.candidates", equalTo(3))
                .body("result.devices[0].phases[0].rows.parallel.label", contains(LAYOUT))
                .body("result.devices[0].phases[0].rows.parallel.dcp", everyItem(nullValue()))
                .body("result.devices[0].phases[1].rows.parallel.label", hasItem(LAYOUT + " | DCP=4"))
                .body("result.devices[0].phases[1].points.parallel.dcp", hasItem(4))
                .extract()
                .jsonPath();

        String row = "result.devices[0].phases[1].rows.find { it.parallel.dcp == 4 }.";
        JsonPath estimate = estimate(
                ESTIMATE.formatted(
                        "deepseek-ai/DeepSeek-V3.1",
                        4,
                        "decode",
                        search.getInt(row + "concurrency"),
                        1,
                        INPUT + OUTPUT / 2 + 1),
                200);
        assertThat(search.getDouble(row + "tpot_ms")).isCloseTo(estimate.getDouble("latency_ms"), within(ROUNDING));
        assertThat(search.getInt(row + "memory.kv_capacity_multiplier")).isEqualTo(4);
        assertThat(estimate.getInt("memory.kv_capacity_multiplier")).isEqualTo(4);
        assertThat(estimate.getList("operators.name", String.class)).contains("aten.empty.memory_format");
    }

    /// Of one request a rank: its prefill has nothing to exchange, and the smaller cache.
    @Test
    void anAggregatedRowIsMadeOfBothPhasesOnOneLayout() {
        JsonPath search = optimize(SEARCH.replace("disaggregation", "aggregation")
                        .replace("[1, 64]", "[1, 1]")
                        .replace("[1, 4, 3]", "[4]"))
                .body("result.devices[0].phases[0].rows.parallel.dcp", contains(4))
                .body("result.devices[0].phases[0].rows.parallel.label", contains(LAYOUT + " | DCP=4"))
                .extract()
                .jsonPath();

        JsonPath prefill =
                estimate(ESTIMATE.formatted("deepseek-ai/DeepSeek-V3.1", 4, "prefill", 2, INPUT, INPUT), 200);
        JsonPath decode = estimate(
                ESTIMATE.formatted("deepseek-ai/DeepSeek-V3.1", 4, "decode", 2, 1, INPUT + OUTPUT / 2 + 1), 200);
        double ttft = prefill.getDouble("latency_ms");
        assertThat(search.getDouble("result.devices[0].phases[0].best.ttft_ms")).isCloseTo(ttft, within(ROUNDING));
        assertThat(search.getDouble("result.devices[0].phases[0].best.tpot_ms"))
                .isCloseTo((ttft + decode.getDouble("latency_ms") * OUTPUT) / OUTPUT, within(ROUNDING));
        JsonPath whole = estimate(ESTIMATE.formatted("deepseek-ai/DeepSeek-V3.1", 1, "prefill", 2, INPUT, INPUT), 200);
        assertThat(ttft).isEqualTo(whole.getDouble("latency_ms"));
        assertThat(prefill.getDouble("memory.kv_cache_gb")).isLessThan(whole.getDouble("memory.kv_cache_gb"));
    }

    /// What was answered before there was such a member.
    @Test
    void requestsWithoutItAreAnsweredAsBefore() {
        String without = SEARCH.replace(", \"dcp_sizes\": [1, 4, 3]", "");

        var answer = optimize(without).extract();
        assertThat(answer.asString()).doesNotContain("dcp").doesNotContain("kv_capacity_multiplier");
        assertThat(optimize(SEARCH.replace("[1, 4, 3]", "[1]"))
                        .extract()
                        .jsonPath()
                        .getList("result.devices"))
                .isEqualTo(answer.jsonPath().getList("result.devices"));
    }

    @Test
    void aPairHandsFromWholeSequencesToSharedOnes() {
        optimize(SEARCH.replace("\"disaggregation\"", """
                        "pd_ratio", "pd_ratio": {"prefill_devices_per_instance": 16, "decode_devices_per_instance": 16}""").replace("[1, 4, 3]", "[4]"))
                .body("result.devices[0].pd_ratio.rows[0].parallel_p.label", equalTo(LAYOUT))
                .body("result.devices[0].pd_ratio.rows[0].parallel_d.label", equalTo(LAYOUT + " | DCP=4"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    deepseek-ai/DeepSeek-V3.1 | 3  | must divide tp 8, got 3
                    deepseek-ai/DeepSeek-V3.1 | 16 | must divide tp 8, got 16
                    Qwen/Qwen3-235B-A22B      | 1  |
                    MiniMaxAI/MiniMax-M2      | 2  | dcp 2 is not supported for minimax_m2
                    MiniMaxAI/MiniMax-M2      | 1  |
                    """)
    void anEstimateOfWhatIsNotPricedIsRefused(String model, int dcp, String message) {
        JsonPath answer = estimate(ESTIMATE.formatted(model, dcp, "decode", 16, 1, 4000), message == null ? 200 : 400);

        if (message != null) {
            assertThat(answer.getString("errors[0].pointer")).isEqualTo("/parallel/dcp");
            assertThat(answer.getString("errors[0].detail")).contains(message);
        }
    }

    @Test
    void modelsSayWhetherTheyMayAskForIt() {
        JsonPath models =
                api().get("/api/v1/models").then().statusCode(200).extract().jsonPath();

        assertThat(models.getList("models.findAll { !it.supported.dcp }.id", String.class))
                .contains("MiniMaxAI/MiniMax-M2", "openai/gpt-oss-120b")
                .doesNotContain("Qwen/Qwen3-32B", "deepseek-ai/DeepSeek-V3.2", "Qwen/Qwen3.5-27B");
    }

    private JsonPath estimate(String request, int status) {
        return json(request)
                .post("/api/v1/estimates")
                .then()
                .statusCode(status)
                .extract()
                .jsonPath();
    }
}
