package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Points and curves of searches with cost model `calibrated`, over HTTP.
class CalibratedCurveIT extends HttpTest {
    private static final String POINTS = "result.devices[0].phases[0].points";
    private static final String QWEN = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 4,
             "workload": {"input_length": 3500, "output_length": 1500}, "engine": {"backend": "vllm"},
             "quantization": {"scheme": "FP8"}, "slo": {"tpot_ms": 30}}""";
    private static final String RATIO = QWEN.replace(
            "\"slo\"",
            "\"mode\": \"pd_ratio\", \"pd_ratio\": {\"prefill_devices_per_instance\": 1,"
                    + " \"decode_devices_per_instance\": 1}, \"slo\"");
    private static final String ASCEND = QWEN.replace("H100_SXM", "ATLAS_800_A2_376T_64G")
            .replace("\"vllm\"", "\"vllm-ascend\"")
            .replace("\"FP8\"", "\"W8A8\"");

    @Test
    void everyConcurrencyThatWasTriedIsAPointWithBands() {
        List<Map<String, ?>> points = optimize(QWEN)
                .body(POINTS + ".size()", greaterThan(20))
                .body(POINTS + ".tpot_ms_band", everyItem(notNullValue()))
                .body(POINTS + ".ttft_ms_band", everyItem(notNullValue()))
                .body(POINTS + ".tokens_per_s_band.basis", everyItem(startsWith("ttft/dense")))
                .body(POINTS + ".within_slo", hasItem(false))
                .extract()
                .path(POINTS);
        assertThat(points)
                .allSatisfy(point -> assertThat(Double.parseDouble(String.valueOf(point.get("tpot_ms"))) <= 30)
                        .isEqualTo(point.get("within_slo")));
    }

    /// The best row is one of the points of its layout.
    @Test
    void theBestRowIsAPoint() {
        ValidatableResponse answer = optimize(QWEN);
        Map<String, Object> best = answer.extract().path("result.devices[0].phases[0].best");
        List<Map<String, Object>> points = answer.extract().path(POINTS);
        assertThat(points)
                .anySatisfy(point -> assertThat(best)
                        .containsAllEntriesOf(Map.of(
                                "parallel", point.get("parallel"),
                                "concurrency", point.get("concurrency"),
                                "tpot_ms", point.get("tpot_ms"),
                                "tokens_per_s", point.get("tokens_per_s"),
                                "tpot_ms_band", point.get("tpot_ms_band"))));
    }

    @Test
    void curvesHaveBands() {
        String location = submit(QWEN);
        curves(location, "application/json")
                .body("title", contains("Aggregation: throughput vs concurrency", "Aggregation: throughput vs TPOT"))
                .body("[0].series[0].points.y_band", everyItem(notNullValue()))
                .body("[0].series[0].points.x_band", everyItem(nullValue()))
                .body("[1].series[0].points.x_band.basis", everyItem(startsWith("tpot/dense")))
                .body("[1].series[0].points.uncalibrated", everyItem(nullValue()));
        assertThat(curves(location, "text/plain").extract().asString())
                .containsPattern("best: \\d+\\.\\d token/s \\(\\d+\\.\\d to \\d+\\.\\d\\) at TPOT \\d+\\.\\d ms \\(");
    }

    @Test
    void curvesOfAnAscendDeviceSayThatTheyAreUncalibrated() {
        String location = submit(ASCEND);
        curves(location, "application/json")
                .body("[1].series[0].points.x_band", everyItem(nullValue()))
                .body("[1].series[0].points.x_range", everyItem(notNullValue()))
                .body("[1].series[0].points.uncalibrated", everyItem(notNullValue()));
        curves(location, "text/plain").body(containsString("uncalibrated)"));
    }

    @Test
    void curvesOfInstancesApartAreAboutBothSides() {
        optimize(RATIO)
                .body("result.devices[0].phases[1].points.paired.prefill_instances", everyItem(notNullValue()))
                .body("result.devices[0].phases[1].points_left_out", greaterThan(0));
        String location = submit(RATIO);
        curves(location, "application/json")
                .body(
                        "title",
                        contains(
                                "Prefill and decode: throughput vs concurrency",
                                "Prefill and decode: throughput vs TPOT"))
                .body("[1].series.label", hasItem(containsString(" > ")))
                .body("[1].series[0].points.x_band.basis", everyItem(startsWith("tpot/disaggregated")));
        curves(location, "text/plain").body(containsString("best: "));
    }

    private String submit(String body) {
        return optimize(body).extract().header("Location");
    }

    private ValidatableResponse curves(String location, String accept) {
        return api().accept(accept).get(location + "/curves").then().statusCode(200);
    }
}
