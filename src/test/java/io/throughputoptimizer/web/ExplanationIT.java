package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

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
    private static final String PAIRS = """
            {"cost_model": "calibrated", "mode": "pd_ratio", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"],
             "num_devices": 8, "workload": {"input_length": 3500, "output_length": 1500},
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "pd_ratio": {"prefill_devices_per_instance": 1, "decode_devices_per_instance": 2},
             "slo": {"ttft_ms": 2000, "tpot_ms": 30}, "explain": true}""";
    private static final String CUT = """
            {"model_id": "Qwen/Qwen3-32B", "devices": ["H200_SXM"], "num_devices": 2,
             "workload": {"input_length": 3500, "output_length": 200}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
             "serving": {"compile": true}, "search": {"max_batched_tokens": 2048}, "explain": true}""";
    private static final String INFEASIBLE = FEASIBLE.replace("\"tpot_ms\": 50", "\"tpot_ms\": 1");

    @Test
    void everyPhaseSaysWhatWouldHelp() {
        optimize(FEASIBLE)
                .body("request.explain", equalTo(true))
                .body("result.explanation.answers.aim", contains("prefill", "decode"))
                .body(ANSWER + "best.tokens_per_s", notNullValue())
                .body(ANSWER + "nearest_feasible", empty())
                .body(ANSWER + "binding.feasible", hasItem(true))
                .body(ANSWER + "binding[0].passes[0].operators", hasSize(5))
                .body(ANSWER + "binding.least.ttft_ms", everyItem(greaterThan(0.0)))
                .body(ANSWER + "binding.least.memory_batch_size", everyItem(equalTo(1)))
                .body(ANSWER + "frontier[0].points.within_slo", hasItems(true, false))
                .body(
                        ANSWER + "what_would_help.change.lever",
                        hasItems("ttft_limit", "memory_bandwidth", "device_count"))
                .body(ANSWER + "what_would_help.change.pointer", hasItem("/slo/ttft_ms"))
                .body("result.explanation.searches", greaterThan(30))
                .body("result.explanation.points", greaterThan(100));
    }

    @Test
    void whatHelpsStandsApartFromWhatWouldCostAndFromWhatDoesNothing() {
        String id = optimize(FEASIBLE)
                .body(ANSWER + "what_would_help.outcome", hasItems("helps", "no_effect", "hurts"))
                .body(
                        ANSWER + "what_would_help.findAll { it.outcome == 'helps' }.effect_percent",
                        everyItem(greaterThan(0.0)))
                .body(
                        ANSWER + "what_would_help.findAll { it.outcome == 'no_effect' }.effect_percent",
                        everyItem(allOf(greaterThan(-0.0501), lessThan(0.0501))))
                .extract()
                .path("id");

        String text = report(id, "text/plain");

        String helps = text.substring(text.indexOf("What would help"), text.indexOf("What would cost"));
        assertThat(helps.lines().filter(line -> line.startsWith("|")))
                .hasSizeGreaterThan(2)
                .noneMatch(line -> line.matches(".*\\|\\s+-?0\\.0+\\s+\\|.*") || line.matches(".*\\|\\s+-\\d.*"));
        assertThat(helps).containsOnlyOnce("Without effect: ");
        table(id, "sensitivities")
                .statusCode(200)
                .body(containsString(",outcome,kv_cache,idle"))
                .body(containsString(",helps,,"))
                .body(containsString(",no_effect,,"));
    }

    /// Also where a job is read as it was stored, with its engine filled in.
    @Test
    void anotherSchemeIsWhatARequestWithItIsAnswered() {
        String bf16 = ANSWER + "what_would_help.find { it.change.to == 'BF16' }.";
        double direct = optimize(MEASURED.replace("FP8", "BF16").replace("true}", "false}"))
                .extract()
                .jsonPath()
                .getDouble("result.devices[0].phases[0].best.tokens_per_s");
        optimize(MEASURED)
                .body("request.engine.kv_cache", equalTo("fp8"))
                .body(bf16 + "change.kv_cache", equalTo("bf16"))
                .body(bf16 + "plan.tokens_per_s", closeTo(direct, 0));
        optimize(MEASURED.replace("\"vllm\"", "\"vllm\", \"kv_cache\": \"bf16\""))
                .body(bf16 + "change.kv_cache", nullValue())
                .body(bf16 + "plan.tokens_per_s", closeTo(direct, 0));
    }

    @Test
    void rowsThatUseATypeWithoutARateSaySo() {
        String free = "MXFP4 has no rate on A100_SXM: its matrix work is priced as free";
        String request = FEASIBLE.replace("TEST_DEVICE", "A100_SXM").replace(", \"explain\": true", "");
        String quantized = request.substring(0, request.lastIndexOf('}'))
                + ", \"quantization\": {\"linear\": \"MXFP4\", \"attention\": \"FP8\"}}";

        String id = optimize(quantized)
                .body("result.devices[0].phases[0].best.warnings[0]", containsString(free))
                .body(
                        "result.devices[0].phases[1].best.warnings[0]",
                        containsString("FP8 of the KV cache has no rate on A100_SXM"))
                .extract()
                .path("id");

        assertThat(report(id, "text/plain")).contains(free);
        optimize(quantized.replace("A100_SXM", "TEST_DEVICE"))
                .body("result.devices[0].phases[0].best.warnings", nullValue());
    }

    /// Each batch size is simulated step by step, and memory ends none of them.
    @EveryNight
    @Test
    void whereStepsCutPromptsItEndsAfterSomeMillionsOfThem() {
        optimize(CUT)
                .body("result.search.simulated_steps", allOf(greaterThan(1_000), lessThan(100_000)))
                .body("result.explanation.simulated_steps", allOf(greaterThan(1_000_000), lessThan(30_000_000)))
                .body(ANSWER + "frontier[0].points", hasSize(greaterThan(1000)))
                .body(ANSWER + "frontier[0].untried_above", greaterThan(1024))
                .body(ANSWER + "not_asked", nullValue())
                .body(ANSWER + "what_would_help.change.lever", hasItems("ttft_limit", "token_budget", "device_count"));
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
        for (String table : List.of("sensitivities", "relaxations")) {
            assertThat(records(table(id, table).extract().asString())).anySatisfy(line -> {
                assertThat(line.getField("lever")).isEqualTo("tpot_limit");
                assertThat(line.getField("to")).isEmpty();
                assertThat(line.getField("not_asked"))
                        .isEqualTo("not every change of it was searched: 10000000 steps were simulated");
            });
        }
    }

    @Test
    @EveryNight
    void aLimitThatIsInfiniteIsNoneToChange() {
        String limits = ANSWER + "what_would_help.change.lever";
        optimize(FEASIBLE.replace("\"ttft_ms\": 500", "\"ttft_ms\": \"inf\""))
                .body("status", equalTo("succeeded"))
                .body(limits, hasItem("memory_bandwidth"))
                .body(limits, not(hasItem("ttft_limit")));
        optimize(MEASURED.replace("\"tpot_ms\": 30", "\"ttft_ms\": \"inf\", \"tpot_ms\": 1.7e308"))
                .body("status", equalTo("succeeded"))
                .body(limits, not(hasItem("ttft_limit")));
        String lever = "result.explanation.answers[1].nearest_feasible.changes.flatten().lever";
        optimize(INFEASIBLE.replace("\"ttft_ms\": 500", "\"ttft_ms\": \"inf\""))
                .body(lever, hasItem("tpot_limit"))
                .body(lever, not(hasItem("ttft_limit")));
        optimize(MEASURED.replace("\"tpot_ms\": 30", "\"ttft_ms\": 1, \"tpot_ms\": \"inf\""))
                .body(ANSWER + "nearest_feasible.changes.flatten().lever", hasItem("ttft_limit"));
    }

    @Test
    void moreAtOnceThanASimulationRunsHasNoMargins() {
        optimize(MEASURED.replace(
                        "\"tpot_ms\": 30}",
                        "\"tpot_ms\": 30, \"percentile\": 90}, \"objective\": {\"name\": \"tokens_per_s_per_user\","
                                + " \"min_concurrency\": 500000}, \"traffic\": {\"waves\": 20}"))
                .body("status", equalTo("succeeded"))
                .body(ANSWER + "binding[0].margins", nullValue());
    }

    @Test
    void whatIsInfeasibleSaysWhatWouldBeEnough() {
        String nearest = "result.explanation.answers[1].nearest_feasible.find { it.changes[0].lever == 'tpot_limit' }.";
        String id = optimize(INFEASIBLE)
                .body("result.devices[0].phases[1].best", nullValue())
                .body("result.explanation.answers[1].best", nullValue())
                .body(nearest + "changes[0].from", equalTo(1.0))
                .body(nearest + "changes[0].unit", equalTo("ms"))
                .body(nearest + "plan.instances[0].batch_size", equalTo(1))
                .extract()
                .path("id");
        assertThat(report(id, "text/plain"))
                .contains(
                        "What binds - TEST_DEVICE, prefill",
                        "The least - TEST_DEVICE, decode",
                        "Heaviest operators - TEST_DEVICE, prefill",
                        "What would help - TEST_DEVICE, prefill",
                        "Frontier - TEST_DEVICE, decode",
                        "Nearest feasible - TEST_DEVICE, decode");
    }

    /// 220 GiB of weights on a device of 80, without `explain`.
    @Test
    void aModelThatDoesNotFitSaysWhatItNeedsAndWhatWouldFit() {
        optimize("""
                        {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-235B-A22B", "devices": ["H100_SXM"],
                         "num_devices": 2, "workload": {"input_length": 3500, "output_length": 1500},
                         "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
                         "slo": {"ttft_ms": 2000, "tpot_ms": 50}}""")
                .body("result.devices[0].phases[0].rows", empty())
                .body("result.devices[0].phases[0].rejected[0].memory.total_gb", equalTo(79.19))
                .body("result.devices[0].phases[0].rejected[0].memory.weight_gb", closeTo(220.5, 0.1))
                .body("result.devices[0].phases[0].rejected[0].detail", startsWith("needs 229.0 GiB of 79.2 GiB"))
                .body(ANSWER + "binding", empty())
                .body(ANSWER + "frontier", empty())
                .body(ANSWER + "nearest_feasible.changes.flatten().lever", hasItems("device_count", "device"))
                .body(ANSWER + "nearest_feasible.plan.tokens_per_s", everyItem(greaterThan(0.0)));
    }

    @Test
    void itsTablesAreCommaSeparatedValues() {
        String id = optimize(INFEASIBLE).extract().path("id");
        table(id, "binding").statusCode(200).contentType("text/csv").body(containsString(",least_tpot_ms,"));
        table(id, "sensitivities").statusCode(200).body(containsString("TEST_DEVICE,prefill,ttft_limit,500.0,"));
        table(id, "relaxations").statusCode(200).body(containsString("TEST_DEVICE,decode,1,"));
        table(id, "frontier").statusCode(200).body(containsString("TEST_DEVICE,decode,TP="));
        table(id, "relaxations").body(not(containsString("not_asked")));
    }

    @Test
    void aTableThatThereIsNotIsRefusedByName() {
        String id = optimize(INFEASIBLE).extract().path("id");
        table(id, "rows").statusCode(400).body("errors.parameter", contains("table"));
        api().accept("application/json")
                .get(OPTIMIZATIONS + "/" + id + "/result?table=binding")
                .then()
                .statusCode(400);
        String plain = optimize(FEASIBLE.replace("true}", "false}")).extract().path("id");
        table(plain, "binding").statusCode(400);
    }

    private ValidatableResponse table(String id, String table) {
        return api().accept("text/csv")
                .get(OPTIMIZATIONS + "/" + id + "/result?table=" + table)
                .then();
    }

    @Test
    void requestsWithoutItAreAnsweredAsBefore() {
        optimize(FEASIBLE.replace("true}", "false}"))
                .body("request.explain", nullValue())
                .body("result.explanation", nullValue());
    }

    @Test
    void theBestPlanIsThatOfTheSearch() {
        double best =
                optimize(FEASIBLE).extract().jsonPath().getDouble("result.devices[0].phases[0].best.tokens_per_s");
        optimize(FEASIBLE).body(ANSWER + "best.tokens_per_s", closeTo(best, 0));
    }

    @Test
    void replicasOnMeasuredDevicesAreExplained() {
        String id = optimize(MEASURED)
                .body(ANSWER + "aim", equalTo("aggregation"))
                .body(ANSWER + "best.tokens_per_s", notNullValue())
                .body(ANSWER + "binding[0].passes.breakdown.gemm", everyItem(greaterThan(0.0)))
                .body(ANSWER + "binding[0].passes[1].operators", hasSize(5))
                .body(ANSWER + "frontier[0].points.tokens_per_s_band", everyItem(notNullValue()))
                .body(
                        ANSWER + "what_would_help.change.lever",
                        hasItems(
                                "tpot_limit",
                                "memory_bandwidth",
                                "linear_quantization",
                                "token_budget",
                                "device_count"))
                .body(ANSWER + "what_would_help.change.pointer", hasItems("/quantization/scheme", "/engine/kv_cache"))
                .body(ANSWER + "not_asked.lever", contains("link_latency", "draft_tokens"))
                .extract()
                .path("id");
        assertThat(report(id, "text/plain"))
                .contains(
                        "What binds - H100_SXM, aggregation",
                        "The least - H100_SXM, aggregation",
                        "Heaviest operators - H100_SXM, aggregation",
                        "What would help - H100_SXM, aggregation",
                        "Frontier - H100_SXM, aggregation");
        optimize(MEASURED.replace("\"tpot_ms\": 30", "\"tpot_ms\": 1"))
                .body(ANSWER + "best", nullValue())
                .body(ANSWER + "nearest_feasible.changes.lever.flatten()", hasItem("tpot_limit"));
    }

    /// Its KV cache holds 4.7 requests.
    @Test
    void aFullCacheBindsWhereNoTargetDoes() {
        String request = """
                {"cost_model": "calibrated", "model_id": "meta-llama/Meta-Llama-3.1-70B", "devices": ["H100_SXM"],
                 "num_devices": 8, "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
                 "workload": {"input_length": 3500, "output_length": 512}, "slo": {"ttft_ms": 1500, "tpot_ms": 66},
                 "search": {"tp_sizes": [1]}, "explain": true}""";
        optimize(request)
                .body("result.devices[0].phases[0].best.batch_size", equalTo(4))
                .body(ANSWER + "binding[0].binds", equalTo("ttft"))
                .body(ANSWER + "binding[0].detail", containsString("batch size 5: TTFT"));
        optimize(request.replace("\"ttft_ms\": 1500, ", ""))
                .body(ANSWER + "binding[0].binds", equalTo("memory"))
                .body(ANSWER + "binding[0].detail", containsString("holds no more than 4.7"));
    }

    @Test
    @EveryNight
    void pairsOnMeasuredDevicesAreExplained() {
        String id = optimize(PAIRS)
                .body(ANSWER + "aim", equalTo("pd_ratio"))
                .body(ANSWER + "best.instances.count", contains(2, 3))
                .body(ANSWER + "best.tokens_per_s_per_device", notNullValue())
                .body(ANSWER + "binding.phase.unique()", contains("pd_ratio"))
                .body(ANSWER + "binding.label", hasItem("2 x TP=1 | PP=1 | DP=1 feed 3 x TP=2 | PP=1 | DP=1"))
                .body(ANSWER + "binding[0].passes[1].operators", hasSize(5))
                .body(ANSWER + "binding.least.ttft_concurrency", everyItem(greaterThan(0)))
                .body(ANSWER + "frontier[0].points.tokens_per_s_band", everyItem(notNullValue()))
                .body(ANSWER + "frontier[0].points.parallel_p.label", everyItem(equalTo("TP=1 | PP=1 | DP=1")))
                .body(ANSWER + "frontier[0].points.within_slo", hasItems(true, false))
                .body(
                        ANSWER + "what_would_help.change.pointer",
                        hasItems(
                                "/slo/ttft_ms",
                                "/pd_ratio/prefill_devices_per_instance",
                                "/pd_ratio/decode_devices_per_instance",
                                "/num_devices"))
                .extract()
                .path("id");
        assertThat(report(id, "text/plain"))
                .contains(
                        "What binds - H100_SXM, pd_ratio",
                        "The least - H100_SXM, pd_ratio",
                        "at concurrency",
                        "Heaviest operators - H100_SXM, pd_ratio",
                        "What would help - H100_SXM, pd_ratio",
                        "2 x TP=1 | PP=1 | DP=1 + 3 x TP=2 | PP=1 | DP=1",
                        "Frontier - H100_SXM, pd_ratio");
        table(id, "binding").statusCode(200).body(containsString("H100_SXM,pd_ratio,2 x TP=1 | PP=1 | DP=1 feed 3 x"));
        table(id, "frontier").statusCode(200).body(containsString("H100_SXM,pd_ratio,"));
        optimize(PAIRS.replace("\"tpot_ms\": 30", "\"tpot_ms\": 1"))
                .body(ANSWER + "best", nullValue())
                .body(ANSWER + "binding.binds", everyItem(equalTo("tpot")))
                .body(ANSWER + "nearest_feasible.changes.lever.flatten()", hasItem("tpot_limit"));
    }

    @Test
    @EveryNight
    void limitsOnAPercentileAreExplainedBySimulations() {
        String percentile =
                MEASURED.replace("\"tpot_ms\": 30", "\"ttft_ms\": 3000, \"tpot_ms\": 30, \"percentile\": 95");
        String id = optimize(percentile)
                .body(ANSWER + "binding[0].binds", equalTo("ttft"))
                .body(ANSWER + "what_would_help.change.lever", hasItems("ttft_limit", "token_budget"))
                .body(ANSWER + "not_asked.lever", hasItem("prefix_cache_hit_rate"))
                .body(ANSWER + "frontier[0].points.within_slo", hasItems(true, false))
                .body("result.explanation.simulations", greaterThan(100))
                .extract()
                .path("id");
        assertThat(report(id, "text/plain")).contains("What binds - H100_SXM", "What would help - H100_SXM");
        table(id, "sensitivities").statusCode(200).body(containsString("H100_SXM,aggregation,ttft_limit,3000.0,"));
        optimize(percentile.replace("\"ttft_ms\": 3000", "\"ttft_ms\": 5"))
                .body(ANSWER + "best", nullValue())
                .body(ANSWER + "nearest_feasible.changes.lever.flatten()", hasItem("ttft_limit"));
    }

    @Test
    void percentilesOfRowsAreNoneOfAnExplanation() {
        optimize(MEASURED.replace("\"explain\"", "\"percentiles\": true, \"explain\""))
                .body("result.devices[0].phases[0].best.simulation", notNullValue())
                .body(ANSWER + "best.tokens_per_s", notNullValue())
                .body("result.explanation.simulations", nullValue());
    }

    @Test
    void itIsTrueOrFalse() {
        refuse(FEASIBLE.replace("\"explain\": true", "\"explain\": \"yes\""), "/explain");
    }

    @Test
    void anExplanationThatWouldTakeTooLongIsRefused() {
        json(FEASIBLE.replace("\"explain\"", "\"search\": {\"strategy\": \"exhaustive\"}, \"explain\""))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/search"))
                .body("errors[0].message", containsString("or ask without explain"));
    }

    private void refuse(String request, String pointer) {
        json(request).post(OPTIMIZATIONS).then().statusCode(400).body("errors.pointer", contains(pointer));
    }
}
