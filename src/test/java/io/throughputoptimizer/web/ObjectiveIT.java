package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import org.junit.jupiter.api.Test;

/// Rankings by what planners ask for, over HTTP.
class ObjectiveIT extends HttpTest {
    private static final String BEST = "result.devices[0].phases[0].best.";
    private static final String ANALYTIC = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 4,
             "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "serving": {"compile": true}, "objective": %s}""";
    private static final String CALIBRATED = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM", "B200_SXM"],
             "num_devices": 8, "workload": {"input_length": 1024, "output_length": 1024},
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "objective": %s}""";

    @Test
    void theSpeedOfAUserIsALimitToo() {
        String request = ANALYTIC.replace(", \"objective\": %s", "");
        String fast = request.replace("\"tpot_ms\": 50", "\"tokens_per_s_per_user\": 80");
        String id = optimize(fast)
                .body("request.slo.tokens_per_s_per_user", equalTo(80.0))
                .body("request.slo.tpot_ms", nullValue())
                .body("result.devices[0].phases[0].rows.tpot_ms", everyItem(lessThanOrEqualTo(12.5)))
                .extract()
                .path("id");
        assertThat(report(id, "text/plain")).contains("TPOT Limits: 12.5 ms, at least 80 token/s for each user");
        assertThat(report(id, "text/csv"))
                .isEqualTo(answer(request.replace("\"tpot_ms\": 50", "\"tpot_ms\": 12.5"), "text/csv"));
    }

    @Test
    void itIsNoLimitBesideThatOnTpotAndANumberThatATimeFollowsFrom() {
        String both = ANALYTIC.replace(", \"objective\": %s", "")
                .replace("\"tpot_ms\": 50", "\"tpot_ms\": 50, \"tokens_per_s_per_user\": 80");
        refused(both, "must not be combined with slo.tpot_ms");
        refused(both.replace("\"tpot_ms\": 50, ", "").replace("80", "-1"), "must be greater than 0, got -1.0");
        refused(
                both.replace("\"tpot_ms\": 50, ", "").replace("80", "1e-320"),
                "must be a finite number of ms above 0, got 1.0E-320");
    }

    @Test
    void theTimeOfAWholeAnswerIsALimit() {
        String request =
                ANALYTIC.replace(", \"objective\": %s", "").replace("\"tpot_ms\": 50", "\"e2e_latency_ms\": 4000");
        String id = optimize(request)
                .body("request.slo.e2e_latency_ms", equalTo(4000.0))
                .body("result.devices[0].phases[0].rows.e2e_latency_ms", everyItem(lessThanOrEqualTo(4000.0)))
                .body(BEST + "limited_by", hasItem("e2e_latency"))
                .extract()
                .path("id");
        assertThat(report(id, "text/plain"))
                .contains("Request Latency Limits: 4000", "Request latency (ms) |", "Request Latency: ");
        assertThat(report(id, "text/csv")).contains(",sustained_requests_per_s,e2e_latency_ms");
        assertThat(api().accept("text/plain")
                        .get(OPTIMIZATIONS + "/" + id + "/curves")
                        .then()
                        .statusCode(200)
                        .extract()
                        .asString())
                .contains("throughput vs Request latency", "Request latency (ms)");
    }

    @Test
    void theTimeOfAWholeAnswerOfMeasuredDevicesHasABand() {
        String request = CALIBRATED
                .replace(", \"objective\": %s", ", \"slo\": {\"e2e_latency_ms\": 20000}")
                .replace(", \"B200_SXM\"", "");
        String id = optimize(request)
                .body(BEST + "e2e_latency_ms", lessThanOrEqualTo(20000.0))
                .body(BEST + "e2e_latency_ms_band", notNullValue())
                .extract()
                .path("id");
        assertThat(report(id, "text/csv")).contains(",e2e_latency_ms,e2e_latency_ms_low,e2e_latency_ms_high,");
    }

    @Test
    void phasesByThemselvesMakeNoWholeAnswer() {
        String whole = ANALYTIC.replace(", \"objective\": %s", ", \"mode\": \"disaggregation\"")
                .replace("\"tpot_ms\": 50", "\"tpot_ms\": 50, \"e2e_latency_ms\": 4000");
        json(whole)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/slo/e2e_latency_ms"))
                .body("errors.detail", contains(containsString("is not supported in mode disaggregation")));
    }

    private void refused(String request, String message) {
        json(request)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/slo/tokens_per_s_per_user"))
                .body("errors.detail", contains(containsString(message)));
    }
}
