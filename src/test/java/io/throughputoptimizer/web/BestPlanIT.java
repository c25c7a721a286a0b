package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.throughputoptimizer.fixture.BestPlanCheck;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `result.best` and `result.summary` in every mode.
class BestPlanIT extends HttpTest {
    private static final String ANALYTIC = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 16,
             "workload": {"input_length": 3500, "output_length": 300}, "slo": {"ttft_ms": 2000, "tpot_ms": 50}}""";
    private static final String CALIBRATED = with(
            ANALYTIC.replace("\"cost_model\": \"analytic\", ", ""),
            "\"cost_model\": \"calibrated\", \"engine\": {\"backend\": \"vllm\"},"
                    + " \"quantization\": {\"scheme\": \"FP8\"}");
    private static final String PAIRS = "\"mode\": \"pd_ratio\", \"pd_ratio\": {\"prefill_devices_per_instance\": 4,"
            + " \"decode_devices_per_instance\": 4}";
    private static final String CAPACITY =
            "\"mode\": \"capacity\", \"demand\": {\"requests_per_s\": 10}, \"instance_sizes\": [2, 4]";
    private static final String COST = "\"objective\": {\"name\": \"cost_per_million_tokens\","
            + " \"price_per_device_hour\": {\"H100_SXM\": 2.5, \"H200_SXM\": 3.5}, \"currency\": \"USD\"}";

    private static String with(String request, String members) {
        return request.replaceFirst("\\{", "{" + members + ", ");
    }

    private static String onTwo(String request) {
        return request.replace("[\"H100_SXM\"]", "[\"H100_SXM\", \"H200_SXM\"]");
    }

    static Stream<Arguments> requests() {
        return Stream.of(
                argumentSet("aggregation", ANALYTIC),
                argumentSet("calibrated aggregation", CALIBRATED),
                argumentSet(
                        "prefill",
                        with(ANALYTIC, "\"mode\": \"disaggregation\"").replace(", \"tpot_ms\": 50", "")),
                argumentSet(
                        "decode", with(ANALYTIC, "\"mode\": \"disaggregation\"").replace("\"ttft_ms\": 2000, ", "")),
                argumentSet("both phases", with(ANALYTIC, "\"mode\": \"disaggregation\"")),
                argumentSet("pairs", with(ANALYTIC, PAIRS)),
                argumentSet("calibrated pairs", with(CALIBRATED.replace("vllm", "sglang"), "\"mode\": \"pd_ratio\"")),
                argumentSet("capacity", with(ANALYTIC, CAPACITY)),
                argumentSet("calibrated capacity", with(CALIBRATED, CAPACITY)),
                argumentSet("devices", onTwo(ANALYTIC)),
                argumentSet("calibrated devices", with(onTwo(CALIBRATED), COST)),
                argumentSet("pairs of devices", with(onTwo(ANALYTIC), PAIRS)));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void bestPlanIsTheBestRowOfTheMode(String request) {
        String job = optimize(request)
                .body("result.best.summary", nullValue())
                .body("result.summary", endsWith("."))
                .extract()
                .asString();

        assertThat(BestPlanCheck.differences(job)).isEmpty();
        JsonNode best = JsonMapper.shared().readTree(job).at("/result/best");
        assertThat(best.isObject()).isTrue();
        assertThat(JsonMapper.shared().readTree(job).at("/result/summary").asString())
                .startsWith(best.path("deployment").asString());
    }

    @Test
    void everyFormOfTheResultHasTheSameBestPlan() {
        String job = optimize(CALIBRATED).extract().asString();
        String path = OPTIMIZATIONS + "/"
                + JsonMapper.shared().readTree(job).path("id").asString();
        JsonNode best = JsonMapper.shared().readTree(job).at("/result/best");

        for (String place : Stream.of("/result", "/result?include=all").toList()) {
            String result = api().get(path + place).asString();
            assertThat(result).startsWith("{\"best\":{\"device\":\"H100_SXM\",").contains("\"result_version\":");
            assertThat(JsonMapper.shared().readTree(result).path("best")).isEqualTo(best);
        }
        assertThat(JsonMapper.shared().readTree(api().get(path).asString()).at("/result/best"))
                .isEqualTo(best);
        String unstored = json(CALIBRATED)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS + "?store=false")
                .asString();
        assertThat(JsonMapper.shared().readTree(unstored).at("/result/best")).isEqualTo(best);
    }

    @Test
    void infeasibleResultHasASummaryWithoutBestPlan() {
        optimize(ANALYTIC.replace("2000", "0.001"))
                .body("result.best", nullValue())
                .body("result.summary", startsWith("No layout on 16 H100_SXM is feasible;"));
        optimize(with(ANALYTIC.replace("2000", "0.001"), "\"mode\": \"disaggregation\""))
                .body("result.best", nullValue())
                .body("result.summary", startsWith("No prefill layout on 16 H100_SXM"));
        optimize(with(ANALYTIC, CAPACITY).replace("\"requests_per_s\": 10", "\"requests_per_s\": 10000"))
                .body("result.best", nullValue())
                .body("result.summary", startsWith("16 H100_SXM cannot serve the demand;"));
    }

    @Test
    void pricesGiveTheCostOfAnHour() {
        optimize(with(CALIBRATED, COST.replace(", \"H200_SXM\": 3.5", "")))
                .body("result.best.instances", hasSize(1))
                .body("result.best.cost_per_hour", equalTo(16 * 2.5))
                .body("result.best.currency", equalTo("USD"));
    }
}
