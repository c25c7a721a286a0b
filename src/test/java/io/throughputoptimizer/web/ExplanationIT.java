package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Searches that explain themselves, over HTTP.
class ExplanationIT extends HttpTest {
    private static final String ANSWER = "result.explanation.answers[0].";
    private static final String FEASIBLE = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 2, "mode": "disaggregation",
             "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 500, "tpot_ms": 50},
             "serving": {"compile": true}, "explain": true}""";
    private static final String MEASURED = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
             "workload": {"input_length": 1024, "output_length": 1024}, "slo": {"tpot_ms": 30},
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "search": {"tp_sizes": []},
             "explain": true}""";
    private static final String CUT = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H200_SXM"], "num_devices": 2,
             "workload": {"input_length": 3500, "output_length": 200}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "serving": {"compile": true}, "search": {"max_batched_tokens": 2048}, "explain": true}""";
    private static final String INFEASIBLE = FEASIBLE.replace("\"tpot_ms\": 50", "\"tpot_ms\": 1");

    /// Also where a job is read as it was stored, with its engine filled in.
    @Test
    void anotherSchemeIsWhatARequestWithItIsAnswered() {
        String bf16 = ANSWER + "sensitivities.find { it.change.to == 'BF16' }.";
        double direct = optimize(MEASURED.replace("FP8", "BF16").replace("true}", "false}"))
                .extract()
                .jsonPath()
                .getDouble("result.devices[0].phases[0].best.tokens_per_s");
        optimize(MEASURED)
                .body("request.engine.kv_cache_dtype", equalTo("fp8"))
                .body(bf16 + "change.kv_cache_dtype", equalTo("bf16"))
                .body(bf16 + "plan.tokens_per_s", closeTo(direct, 0));
        optimize(MEASURED.replace("\"vllm\"", "\"vllm\", \"kv_cache_dtype\": \"bf16\""))
                .body(bf16 + "change.kv_cache_dtype", nullValue())
                .body(bf16 + "plan.tokens_per_s", closeTo(direct, 0));
    }

    /// Without a TTFT limit one search alone walks up to half a million requests, one by one.
    @EveryNight
    @Test
    void leversThatTakeTooManyStepsAreLeftOutAndNamed() {
        String request = CUT.replace("\"ttft_ms\": 2000, \"tpot_ms\": 50", "\"tpot_ms\": 1");
        String id = optimize(request)
                .body(ANSWER + "best", nullValue())
                .body(ANSWER + "not_asked.lever", hasItem("tpot_limit"))
                .body(
                        ANSWER + "not_asked.reason",
                        everyItem(equalTo("not every change of it was searched: 10000000 steps were simulated")))
                .extract()
                .path("id");
        assertThat(report(id, "text/plain"))
                .contains("No change that was searched gives a configuration.", "Not asked, tpot_limit: not every");
        for (String table : List.of("sensitivities", "nearest_feasible")) {
            assertThat(records(table(id, table).extract().asString())).anySatisfy(line -> {
                assertThat(line.getField("lever")).isEqualTo("tpot_limit");
                assertThat(line.getField("to")).isEmpty();
                assertThat(line.getField("not_asked"))
                        .isEqualTo("not every change of it was searched: 10000000 steps were simulated");
            });
        }
    }

    @Test
    void moreAtOnceThanASimulationRunsHasNoMargins() {
        optimize(MEASURED.replace(
                        "\"tpot_ms\": 30}",
                        "\"tpot_ms\": 30, \"percentile\": 90}, \"objective\": {\"name\": \"tokens_per_s_per_user\","
                                + " \"min_concurrency\": 500000}, \"traffic\": {\"waves\": 20}"))
                .body("status", equalTo("succeeded"))
                .body(ANSWER + "bottlenecks[0].margins", nullValue());
    }

    @Test
    void aTableThatThereIsNotIsRefusedByName() {
        String id = optimize(INFEASIBLE).extract().path("id");
        table(id, "rows").statusCode(400).body("errors.parameter", contains("table"));
        api().accept("application/json")
                .get(OPTIMIZATIONS + "/" + id + "/result?table=bottlenecks")
                .then()
                .statusCode(400);
        String plain = optimize(FEASIBLE.replace("true}", "false}")).extract().path("id");
        table(plain, "bottlenecks").statusCode(400);
    }

    private ValidatableResponse table(String id, String table) {
        return api().accept("text/csv")
                .get(OPTIMIZATIONS + "/" + id + "/result?table=" + table)
                .then();
    }

    @Test
    void theBestPlanIsThatOfTheSearch() {
        double best =
                optimize(FEASIBLE).extract().jsonPath().getDouble("result.devices[0].phases[0].best.tokens_per_s");
        optimize(FEASIBLE).body(ANSWER + "best.tokens_per_s", closeTo(best, 0));
    }

    @Test
    void percentilesOfRowsAreNoneOfAnExplanation() {
        optimize(MEASURED.replace("\"explain\"", "\"percentiles\": true, \"explain\""))
                .body("result.devices[0].phases[0].best.simulation", notNullValue())
                .body(ANSWER + "best.tokens_per_s", notNullValue())
                .body("result.explanation.simulations", nullValue());
    }

    @Test
    void anExplanationThatWouldTakeTooLongIsRefused() {
        json(FEASIBLE.replace("\"explain\"", "\"search\": {\"strategy\": \"exhaustive\"}, \"explain\""))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/search"))
                .body("errors[0].detail", containsString("or ask without explain"));
    }
}
