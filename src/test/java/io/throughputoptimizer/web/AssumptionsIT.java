package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What answers say that they assume, and what the best plan delivers where an engine is told nothing.
class AssumptionsIT extends HttpTest {
    private static final String MEASURED = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 1000, "tpot_ms": 30}}""";
    private static final String MODELLED = """
            {"model_id": "Qwen/Qwen3-32B", "num_devices": 8, "workload": {"input_length": 3500, "output_length": 1500},
             "slo": {"ttft_ms": 5000, "tpot_ms": 50}}""";
    private static final String PAIRS = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM", "H200_SXM"], "num_devices": 8,
             "mode": "pd_ratio", "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "pd_ratio": {"prefill_devices_per_instance": 2, "decode_devices_per_instance": 2},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 1000, "tpot_ms": 30}}""";
    private static final String CAPACITY = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 64,
             "mode": "capacity", "demand": {"requests_per_s": 20}, "engine": {"backend": "sglang"},
             "quantization": {"scheme": "FP8"}, "instance_sizes": [2, 4], "search": {"batch_range": [1, 64]},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 30}}""";

    private static final String DEVICE = "result.devices[0].";
    private static final String CACHE = DEVICE + "assumptions.find { it.about == 'kv_cache' }";
    private static final String WEIGHTS = DEVICE + "assumptions.find { it.about == 'weights' }";

    @Override
    ValidatableResponse optimize(String body) {
        return json(body)
                .queryParam("points", true)
                .queryParam("include", "defaults")
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200);
    }

    @Override
    String answer(String body, String mediaType) {
        return json(body)
                .accept(mediaType)
                .queryParam("include", "defaults")
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }

    @Test
    void namesTheEngineDefaultWithoutFiguresUnlessIncluded() {
        json(MEASURED)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .body(CACHE + ".text", equalTo("FP8 KV cache, by a flag or the checkpoint; vllm alone takes BF16"))
                .body(CACHE + ".engine_default", equalTo(Map.of("value", "BF16")));
    }

    @Test
    void rejectsUnknownPartsToInclude() {
        json(MEASURED)
                .queryParam("include", "rows")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("detail", containsString("include has the unknown value \"rows\"; allowed: defaults"));
    }

    @Test
    void rejectsAKeyThatIsTakenByTheRequestWithoutDefaults() {
        String key = UUID.randomUUID().toString();
        json(MODELLED).header("Idempotency-Key", key).post(OPTIMIZATIONS).then().statusCode(202);
        json(MODELLED).header("Idempotency-Key", key).post(OPTIMIZATIONS).then().statusCode(202);
        json(MODELLED)
                .header("Idempotency-Key", key)
                .queryParam("include", "defaults")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(409);
    }

    @Test
    void anAnswerSaysWhatItAssumes() {
        optimize(MEASURED)
                .body(
                        DEVICE + "assumptions.about",
                        contains("weights", "kv_cache", "engine", "prefix_cache", "requests", "speculative_decoding"))
                .body(WEIGHTS + ".text", equalTo("FP8 weights"))
                .body(WEIGHTS + ".asked", equalTo(true))
                .body(DEVICE + "assumptions[2].text", equalTo("vllm as measured in 0.24.0 and 0.14.0"))
                .body(DEVICE + "assumptions.text", hasItem("no prefix cache"))
                .body(DEVICE + "assumptions.text", hasItem("all requests alike"))
                .body(DEVICE + "assumptions.text", hasItem("no speculative decoding"));
        optimize("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 2,
                 "engine": {"backend": "vllm", "version": "0.11.0"}, "quantization": {"scheme": "BF16"},
                 "traffic": {"length_ratio": 0.8},
                 "workload": {"input_length": 3500, "output_length": 1500, "prefix_cache_hit_rate": 0.25}}""")
                .body(CACHE + ".text", equalTo("BF16 KV cache"))
                .body(CACHE, not(hasKey("engine_default")))
                .body(DEVICE + "assumptions[2].text", equalTo("vllm as measured in 0.24.0 and 0.14.0 for 0.11.0"))
                .body(DEVICE + "assumptions.text", hasItem("25 % of the input from the prefix cache"))
                .body(DEVICE + "assumptions.text", hasItem("requests between 80 % and all of the lengths"));
    }

    /// What a planner gets who starts vLLM without a word about the KV cache.
    @Test
    void theCacheOfAnEngineThatIsToldNothingIsSearchedToo() {
        JsonPath answer = optimize(MEASURED)
                .body(CACHE + ".asked", equalTo(false))
                .body(
                        CACHE + ".text",
                        equalTo("FP8 KV cache, by a flag or the checkpoint; vllm alone takes BF16: 8569.8 tokens/s,"
                                + " 20.7 % less"))
                .extract()
                .jsonPath();

        assertThat(answer.getString(CACHE + ".engine_default.value")).isEqualTo("BF16");
        assertThat(answer.getDouble(CACHE + ".engine_default.figures[0].assumed"))
                .isEqualTo(bestTokens(MEASURED));
        assertThat(answer.getDouble(CACHE + ".engine_default.figures[0].engine_default"))
                .isCloseTo(8_570, within(1.0));
    }

    static List<String> questions() {
        return List.of(
                MEASURED,
                MEASURED.replace("vllm", "sglang"),
                MEASURED.replace("vllm", "trtllm").replace("\"tpot_ms\": 30", "\"tpot_ms\": 60"),
                MEASURED.replace("\"slo\"", "\"percentiles\": true, \"slo\""),
                MEASURED.replace("Qwen/Qwen3-32B", "meta-llama/Meta-Llama-3.1-8B")
                        .replace("H100", "H200"),
                MEASURED.replace("Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B").replace("\"FP8\"", "\"FP8_BLOCK\""),
                MEASURED.replace(
                        "\"slo\"",
                        "\"objective\": {\"name\": \"tokens_per_s_per_user\"," + " \"min_concurrency\": 64}, \"slo\""));
    }

    /// The figure told is what a request that names the engine's own cache is answered, to the last bit.
    @ParameterizedTest
    @MethodSource("questions")
    void theFigureToldIsThatOfTheSameRequestAskedSo(String question) {
        JsonPath told = optimize(question).extract().jsonPath();
        JsonPath asked = optimize(question.replace("\"backend\"", "\"kv_cache\": \"bf16\", \"backend\""))
                .body(CACHE + ".asked", equalTo(true))
                .body(CACHE, not(hasKey("engine_default")))
                .extract()
                .jsonPath();

        double assumed = told.getDouble(DEVICE + "phases[0].best.tokens_per_s");
        double own = asked.getDouble(DEVICE + "phases[0].best.tokens_per_s");
        Map<String, Object> figure = tokens(told);
        if (Math.abs(own - assumed) / assumed > 0.05) {
            assertThat(figure).containsEntry("engine_default", own).containsEntry("assumed", assumed);
        } else {
            assertThat(figure).isNull();
        }
        // What is searched beside the question is none of its figures.
        assertThat(told.getLong("progress.points")).isEqualTo(told.getLong("result.search.points"));
    }

    private static Map<String, Object> tokens(JsonPath told) {
        return told.getMap(CACHE + ".engine_default.figures.find { it.figure == 'tokens_per_s' }");
    }

    @Test
    void pairsAndNumbersOfDevicesAreComparedToo() {
        JsonPath pairs = optimize(PAIRS).extract().jsonPath();
        JsonPath pairsAsked = optimize(PAIRS.replace("\"backend\"", "\"kv_cache\": \"bf16\", \"backend\""))
                .extract()
                .jsonPath();
        assertThat(tokens(pairs))
                .containsEntry("engine_default", pairsAsked.getDouble(DEVICE + "pd_ratio.best.tokens_per_s"));

        JsonPath devices = optimize(CAPACITY).extract().jsonPath();
        JsonPath devicesAsked = optimize(CAPACITY.replace("\"backend\"", "\"kv_cache\": \"bf16\", \"backend\""))
                .extract()
                .jsonPath();
        assertThat(devicesAsked.getInt("result.capacity.best.num_devices"))
                .isGreaterThan(devices.getInt("result.capacity.best.num_devices"));
        assertThat(devices.getString(CACHE + ".text"))
                .endsWith(": " + devicesAsked.getInt("result.capacity.best.num_devices") + " devices instead of "
                        + devices.getInt("result.capacity.best.num_devices"));
    }

    /// A job of the queue is read from its stored requests.
    @Test
    void aJobThatWaitedSaysTheSame() {
        String id = json(MEASURED)
                .queryParam("include", "defaults")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .extract()
                .path("id");

        assertThat(api().get(OPTIMIZATIONS + "/" + id + "/events").asString()).contains("event:finished");
        api().get(OPTIMIZATIONS + "/" + id)
                .then()
                .body("status", equalTo("succeeded"))
                .body(CACHE + ".asked", equalTo(false))
                .body(CACHE + ".engine_default.figures", not(empty()));
    }

    @Test
    void limitsOnAPercentileAreNotSearchedTwiceAndSaySo() {
        optimize(MEASURED.replace("\"ttft_ms\"", "\"percentile\": 95, \"ttft_ms\""))
                .body(CACHE + ".engine_default.figures", nullValue())
                .body(CACHE + ".engine_default.not_searched", startsWith("limits are on a percentile"));
    }

    @Test
    void whereNothingKeepsTheLimitsEitherThatIsSaid() {
        optimize(MEASURED.replace("\"tpot_ms\": 30", "\"tpot_ms\": 3"))
                .body(
                        CACHE + ".text",
                        equalTo("FP8 KV cache, by a flag or the checkpoint; vllm alone takes BF16, with which nothing"
                                + " keeps the limits either"))
                .body(CACHE + ".engine_default.figures", empty());
    }

    /// Engines choose the format of such a cache by release and device.
    @Test
    void nothingIsSaidOfEnginesThatCacheSelectedTokensInAFormatOfTheirOwn() {
        optimize("""
                {"model_id": "deepseek-ai/DeepSeek-V3.2", "devices": ["H200_SXM"], "num_devices": 16,
                 "workload": {"input_length": 1000, "output_length": 200}, "slo": {"tpot_ms": 50}, "serving": {"compile": true}}""")
                .body(WEIGHTS + ".engine_default.value", equalTo("FP8"))
                .body(CACHE + ".text", equalTo("BF16 KV cache"))
                .body(CACHE, not(hasKey("engine_default")));
    }

    @Test
    void theDefaultQuantizationStandsBesideThatOfTheCheckpoint() {
        JsonPath answer = optimize(MODELLED)
                .body(WEIGHTS + ".asked", equalTo(false))
                .body(WEIGHTS + ".engine_default.value", equalTo("DISABLED"))
                .extract()
                .jsonPath();
        double own = bestTokens(MODELLED.replace("\"slo\"", "\"quantization\": {\"linear\": \"DISABLED\"}, \"slo\""));

        assertThat(answer.getDouble(WEIGHTS + ".engine_default.figures[0].engine_default"))
                .isEqualTo(own);
        assertThat(answer.getString(WEIGHTS + ".text"))
                .startsWith("W8A8_DYNAMIC weights, the default of requests; the checkpoint has BF16: "
                        + Math.round(10 * own) / 10.0 + " tokens/s, ");
        optimize(MODELLED.replace("\"slo\"", "\"quantization\": {\"linear\": \"W8A8_DYNAMIC\"}, \"slo\""))
                .body(WEIGHTS + ".asked", equalTo(true))
                .body(WEIGHTS + ".text", equalTo("W8A8_DYNAMIC weights"))
                .body(WEIGHTS, not(hasKey("engine_default")));
        optimize(PREFILL.replace("\"slo\"", "\"serving\": {\"num_mtp_tokens\": 0}, \"slo\""))
                .body(WEIGHTS + ".engine_default.figures.phase", contains("prefill"))
                .body(DEVICE + "assumptions.find { it.about == 'speculative_decoding' }.asked", equalTo(true));
    }

    @Test
    void theReportInTextSaysAllOfIt() {
        String id = optimize(MEASURED).extract().path("id");
        assertThat(report(id, "text/plain"))
                .contains("Assumes: FP8 weights; vllm as measured in 0.24.0 and 0.14.0; no prefix cache; all requests"
                        + " alike; no speculative decoding\n")
                .contains("Assumes: FP8 KV cache, by a flag or the checkpoint; vllm alone takes BF16: 8569.8 tokens/s,"
                        + " 20.7 % less\n");
        assertThat(report(id, "text/csv")).doesNotContain("by a flag");

        String madeUp = optimize(MODELLED).extract().path("id");
        assertThat(report(madeUp, "text/plain"))
                .contains("TEST_DEVICE is made up, for tests and comparisons with the reference: nobody can buy it, and"
                        + " the request names no devices");
        assertThat(answer(PAIRS, "text/plain")).contains("vllm alone takes BF16: ");
        assertThat(answer(CAPACITY, "text/plain")).contains(" devices instead of ");
    }

    @Test
    void estimatesSayWhatTheyAssumeAndWhatToKnow() {
        json("""
                {"model_id": "Qwen/Qwen3-32B", "num_devices": 2,
                 "pass": {"phase": "prefill", "concurrency": 2, "query_len": 1000, "seq_len": 1000}}""")
                .post("/api/v1/estimates")
                .then()
                .statusCode(200)
                .body(
                        "assumptions.text",
                        contains("W8A8_DYNAMIC weights", "BF16 KV cache", "no engine in particular, by the roofline"))
                .body(
                        "warnings",
                        contains(
                                "TEST_DEVICE is made up, for tests and comparisons with the reference: nobody can buy it"));
        json("""
                {"model_id": "Qwen/Qwen3-32B", "device": "H100_SXM", "num_devices": 2,
                 "quantization": {"linear": "MXFP4"},
                 "pass": {"phase": "prefill", "concurrency": 2, "query_len": 1000, "seq_len": 1000}}""")
                .post("/api/v1/estimates")
                .then()
                .statusCode(200)
                .body("warnings", contains(startsWith("MXFP4 has no rate on H100_SXM")));
        json("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "device": "H100_SXM", "num_devices": 2,
                 "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
                 "pass": {"phase": "decode", "concurrency": 8, "query_len": 1, "seq_len": 3000}}""")
                .post("/api/v1/estimates")
                .then()
                .statusCode(200)
                .body(
                        "assumptions.text",
                        contains("FP8 weights", "FP8 KV cache", "vllm as measured in 0.24.0 and 0.14.0"))
                .body("warnings", nullValue());
    }

    private double bestTokens(String question) {
        return optimize(question).extract().jsonPath().getDouble(DEVICE + "phases[0].best.tokens_per_s");
    }
}
