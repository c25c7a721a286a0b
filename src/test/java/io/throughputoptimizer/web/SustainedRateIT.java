package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.contains;

import io.restassured.path.json.JsonPath;
import org.junit.jupiter.api.Test;

/// What an instance is said to serve stands beside what its passes leave time for.
class SustainedRateIT extends HttpTest {
    private static final String BEST = "result.devices[0].phases[0].best.";
    private static final String PAIR = "result.devices[0].pd_ratio.best.";

    /// The second call asks for the input tokens a second that the same devices make, 1000 a request.
    @Test
    void aPrefillInstanceOfAPairSaysWhatItsTokensSufficeFor() {
        JsonPath pairs = optimize("""
                {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"], "num_devices": 16, "mode": "pd_ratio",
                 "accounting": "steady", "workload": {"input_length": 1000, "output_length": 500},
                 "slo": {"ttft_ms": 2000, "tpot_ms": 30}, "serving": {"compile": true},
                 "pd_ratio": {"prefill_devices_per_instance": 2, "decode_devices_per_instance": 2}}""")
                .body(
                        PAIR + "warnings",
                        contains("a prefill instance promises 155.356 requests/s, but the time of its passes suffices"
                                + " for 147.793"))
                .extract()
                .jsonPath();
        JsonPath prefill = optimize("""
                {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"], "num_devices": 2, "mode": "disaggregation",
                 "accounting": "steady", "workload": {"input_length": 1000, "output_length": 500},
                 "slo": {"ttft_ms": 2000}, "serving": {"compile": true}}""").extract().jsonPath();

        assertThat(pairs.getDouble(PAIR + "prefill_sustained_requests_per_s"))
                .isCloseTo(prefill.getDouble(BEST + "tokens_per_s") / 1000, within(0.05));
        assertThat(pairs.getDouble(PAIR + "decode_sustained_requests_per_s"))
                .isCloseTo(pairs.getDouble(PAIR + "decode_requests_per_s"), within(0.01));
        assertThat(report(pairs.getString("id"), "text/csv"))
                .contains(",prefill_sustained_requests_per_s,decode_sustained_requests_per_s,");
    }
}
