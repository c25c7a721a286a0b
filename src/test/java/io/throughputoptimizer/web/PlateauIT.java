package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.equalTo;

import io.restassured.path.json.JsonPath;
import org.junit.jupiter.api.Test;

/// Of batch sizes that deliver the same within 0.1 % the smallest is the plan: more requests only wait longer.
class PlateauIT extends HttpTest {
    private static final String BEST = "result.devices[0].phases[0].best.";

    private static final String PREFILL = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 16, "mode": "disaggregation",
             "accounting": "steady", "workload": {"input_length": 1000, "output_length": 500},
             "slo": {"ttft_ms": 5000}, "serving": {"compile": true}}""";

    @Test
    void prefillTakesTheSmallestBatchThatDeliversTheSame() {
        JsonPath answer = optimize(PREFILL).extract().jsonPath();

        assertThat(answer.getInt(BEST + "batch_size")).isLessThanOrEqualTo(4);
        assertThat(answer.getDouble(BEST + "ttft_ms")).isLessThan(60);
        assertThat(answer.getDouble(BEST + "tokens_per_s")).isCloseTo(1_100_490, within(1_100.0));
    }

    /// The reference goes by the last decimal of the throughput; a probe of the search that is as good is named.
    @Test
    void theReferencesChoiceStandsAndTheSmallerBatchIsNamed() {
        JsonPath answer =
                optimize("""
                {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 16, "mode": "disaggregation",
                 "workload": {"input_length": 8000, "output_length": 500}, "slo": {"ttft_ms": 20000},
                 "serving": {"compile": true},
                 "search": {"tp_sizes": [1], "strategy": "exhaustive", "batch_range": [1, 40]}}""").body(BEST + "batch_size", equalTo(40)).extract().jsonPath();

        assertThat(answer.getList(BEST + "warnings", String.class))
                .contains("batch size 8 has the same throughput within 0.1% at TTFT 1310.75 ms");
    }
}
