package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.restassured.path.json.JsonPath;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A whole search of each family that came after the first ones: its rows are made of the passes that estimates price.
class FamilyIT extends HttpTest {
    private static final int INPUT = 2000;
    private static final int OUTPUT = 500;
    /// Figures of rows are rounded to three decimals.
    private static final double ROUNDING = 5e-4;

    @ParameterizedTest
    @CsvSource({"zai-org/GLM-4.5-Air, 16, 0", "zai-org/GLM-4.7, 32, 1"})
    void aRowFollowsFromEstimatesByTheServingFormulas(String model, int devices, int drafts) {
        JsonPath search = optimize("""
                {"model_id": "%s", "devices": ["ATLAS_800_A3_752T_128G_DIE"], "num_devices": %d,
                 "mode": "disaggregation", "workload": {"input_length": %d, "output_length": %d},
                 "serving": {"compile": true, "num_mtp_tokens": %d, "mtp_acceptance_rate": [0.9]},
                 "slo": {"ttft_ms": 20000, "tpot_ms": 60}, "search": {"tp_sizes": [4, 8]}}""".formatted(model, devices, INPUT, OUTPUT, drafts))
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

    /// Latency of a pass on the best layout of a phase.
    private double latency(JsonPath search, int phase, String pass) {
        String parallel = "result.devices[0].phases[%d].best.parallel.".formatted(phase);
        String request = """
                {"model_id": "%s", "device": "ATLAS_800_A3_752T_128G_DIE", "num_devices": %d, "compile": true,
                 "num_mtp_tokens": %d, "parallel": {"tp": %d, "ep": %d, "moe_dp": %d}, "pass": {"phase": %s}}""".formatted(
                        search.getString("request.model_id"),
                        search.getInt("request.num_devices"),
                        search.getInt("request.serving.num_mtp_tokens"),
                        search.getInt(parallel + "tp"),
                        search.getInt(parallel + "ep"),
                        search.getInt(parallel + "moe_dp"),
                        pass);
        return json(request)
                .post("/api/v1/estimates")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath()
                .getDouble("latency_ms");
    }

    private static int concurrency(JsonPath search, int phase) {
        return search.getInt("result.devices[0].phases[%d].best.concurrency".formatted(phase));
    }
}
