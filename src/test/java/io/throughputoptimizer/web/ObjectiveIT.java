package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.path.json.JsonPath;
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
    private static final String USERS = "{\"name\": \"tokens_per_s_per_user\", \"min_concurrency\": 8}";
    private static final String COST =
            "{\"name\": \"cost_per_million_tokens\", \"price_per_device_hour\": %s, \"currency\": \"EUR\"}";

    @Test
    void rowsNameWhatTheyAreRankedBy() {
        String id = optimize(ANALYTIC.formatted(COST.formatted("2.5")))
                .body("request.objective.price_per_device_hour", equalTo(2.5))
                .body(BEST + "objective.name", equalTo("cost_per_million_tokens"))
                .body(BEST + "objective.unit", equalTo("EUR per million tokens"))
                .body(BEST + "objective.value", notNullValue())
                .extract()
                .path("id");
        assertThat(report(id, "text/plain"))
                .contains(
                        "Objective: cost_per_million_tokens, at 2.5 EUR a device and hour",
                        "| EUR per million tokens |");
        assertThat(report(id, "text/csv"))
                .contains(",objective,objective_value,objective_unit", ",EUR per million tokens");
    }

    @Test
    void aNameAloneIsAnObjective() {
        optimize(ANALYTIC.formatted("\"tokens_per_s_per_device\""))
                .body("request.objective.name", equalTo("tokens_per_s_per_device"))
                .body(BEST + "objective.unit", equalTo("tokens/s/device"));
    }

    @Test
    void requestsWithoutItAreAnsweredAsBefore() {
        optimize(ANALYTIC.replace(", \"objective\": %s", ""))
                .body("request.objective", nullValue())
                .body(BEST + "objective", nullValue());
    }

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
        refused(both, "is given: beside tpot_ms, which it says the other way round, there is no place for it");
        refused(both.replace("\"tpot_ms\": 50, ", "").replace("80", "-1"), "is -1.0: a number above 0 is needed");
        refused(
                both.replace("\"tpot_ms\": 50, ", "").replace("80", "1e-320"),
                "is 1.0E-320: 1000 / tokens_per_s_per_user is no number of ms above 0");
    }

    @Test
    void theTimeOfAWholeAnswerIsALimit() {
        String request =
                ANALYTIC.replace(", \"objective\": %s", "").replace("\"tpot_ms\": 50", "\"request_latency_ms\": 4000");
        String id = optimize(request)
                .body("request.slo.request_latency_ms", equalTo(4000.0))
                .body("result.devices[0].phases[0].rows.request_latency_ms", everyItem(lessThanOrEqualTo(4000.0)))
                .body(BEST + "binds", hasItem("request_latency"))
                .extract()
                .path("id");
        assertThat(report(id, "text/plain"))
                .contains("Request Latency Limits: 4000", "Request latency (ms) |", "Request Latency: ");
        assertThat(report(id, "text/csv")).contains(",sustained_qps,request_latency");
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
                .replace(", \"objective\": %s", ", \"slo\": {\"request_latency_ms\": 20000}")
                .replace(", \"B200_SXM\"", "");
        String id = optimize(request)
                .body(BEST + "request_latency_ms", lessThanOrEqualTo(20000.0))
                .body(BEST + "request_latency_ms_band", notNullValue())
                .extract()
                .path("id");
        assertThat(report(id, "text/csv")).contains(",request_latency,request_latency_low,request_latency_high,");
    }

    @Test
    void phasesByThemselvesMakeNoWholeAnswer() {
        String whole = ANALYTIC.replace(", \"objective\": %s", ", \"mode\": \"disaggregation\"")
                .replace("\"tpot_ms\": 50", "\"tpot_ms\": 50, \"request_latency_ms\": 4000");
        json(whole)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/slo/request_latency_ms"))
                .body("errors.message", contains(startsWith("is given: prefill and decode")));
    }

    private void refused(String request, String message) {
        json(request)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/slo/tokens_per_s_per_user"))
                .body("errors.message", contains(message));
    }

    @Test
    void usersAreServedFastestAtTheLeastConcurrency() {
        optimize(ANALYTIC.formatted(USERS)).body("result.devices[0].phases[0].rows.concurrency", everyItem(equalTo(8)));
        optimize(CALIBRATED.formatted(USERS))
                .body("result.devices[0].phases[0].rows.concurrency", everyItem(equalTo(8)));
    }

    @Test
    void aRangeThatEndsBelowTheLeastConcurrencyIsSaid() {
        String narrow = ", \"search\": {\"batch_range\": [1, 2]}, \"objective\"";
        optimize(ANALYTIC.replace(", \"objective\"", narrow).formatted(USERS))
                .body("result.devices[0].phases[0].rows.parallel.dp", everyItem(greaterThanOrEqualTo(4)))
                .body("result.devices[0].phases[0].rejected.reason", hasItem("batch_range"));
        optimize(CALIBRATED.replace(", \"objective\"", narrow).formatted(USERS.replace("8", "64")))
                .body("result.devices[0].phases[0].rejected.reason", hasItem("batch_range"));
    }

    @Test
    void devicesAreComparedByTheirPrices() {
        String dear = COST.formatted("{\"H100_SXM\": 2, \"B200_SXM\": 20}");
        String cheap = COST.formatted("{\"H100_SXM\": 2, \"B200_SXM\": 2}");
        String ranked = "result.cross_hardware[0].rows.device";
        optimize(CALIBRATED.formatted(dear)).body(ranked, contains("H100_SXM", "B200_SXM"));
        optimize(CALIBRATED.formatted(cheap)).body(ranked, contains("B200_SXM", "H100_SXM"));
    }

    @Test
    void figuresOnMeasuredDevicesHaveTheBandOfWhatTheyAreMadeOf() {
        JsonPath cost = optimize(CALIBRATED.formatted(COST.formatted("{\"H100_SXM\": 2, \"B200_SXM\": 2}")))
                .extract()
                .jsonPath()
                .setRootPath(BEST.substring(0, BEST.length() - 1));
        double perDevice = 2 * 1e6 / 3600;
        assertThat(cost.getDouble("objective.value_band.low"))
                .isCloseTo(perDevice / cost.getDouble("tokens_per_s_per_device_band.high"), within(1e-9));
        assertThat(cost.getDouble("objective.value_band.high"))
                .isCloseTo(perDevice / cost.getDouble("tokens_per_s_per_device_band.low"), within(1e-9));
        String id = optimize(CALIBRATED.formatted(USERS)).extract().path("id");
        JsonPath users = optimize(CALIBRATED.formatted(USERS))
                .extract()
                .jsonPath()
                .setRootPath(BEST.substring(0, BEST.length() - 1));
        assertThat(users.getDouble("objective.value_band.low"))
                .isCloseTo(1000 / users.getDouble("tpot_ms_band.high"), within(1e-9));
        assertThat(users.getDouble("objective.value_band.high"))
                .isCloseTo(1000 / users.getDouble("tpot_ms_band.low"), within(1e-9));
        assertThat(report(id, "text/plain")).containsPattern("Best: [0-9.]+ tokens/s/user \\([0-9.]+ to [0-9.]+\\)");
        assertThat(report(id, "text/csv"))
                .contains(",objective,objective_value,objective_unit,objective_value_low,objective_value_high");
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() {
        refuse(ANALYTIC, "{}", "/objective/name");
        refuse(ANALYTIC, "\"goodput\"", "/objective");
        refuse(ANALYTIC, "{\"name\": \"tokens_per_s\", \"min_concurrency\": 2}", "/objective/min_concurrency");
        refuse(ANALYTIC, "{\"name\": \"tokens_per_s\", \"currency\": \"EUR\"}", "/objective/currency");
        refuse(ANALYTIC, USERS.replace("8", "0"), "/objective/min_concurrency");
        refuse(ANALYTIC, "{\"name\": \"cost_per_million_tokens\"}", "/objective/price_per_device_hour");
        refuse(ANALYTIC, COST.formatted("0"), "/objective/price_per_device_hour");
        refuse(CALIBRATED, COST.formatted("{\"H100_SXM\": 2}"), "/objective/price_per_device_hour");
        refuse(
                ANALYTIC,
                COST.formatted("{\"TEST_DEVICE\": -1, \"OTHER\": 1}"),
                "/objective/price_per_device_hour/TEST_DEVICE",
                "/objective/price_per_device_hour/OTHER");
        refuse(ANALYTIC.replace("\"serving\"", "\"mode\": \"disaggregation\", \"serving\""), USERS, "/objective/name");
    }

    private void refuse(String question, String objective, String... pointers) {
        json(question.formatted(objective))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", containsInAnyOrder(pointers));
    }
}
