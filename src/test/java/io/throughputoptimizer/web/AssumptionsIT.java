package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

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
            {"model_id": "Qwen/Qwen3-32B", "devices": ["TEST_DEVICE"], "num_devices": 8, "workload": {"input_length": 3500, "output_length": 1500},
             "slo": {"ttft_ms": 5000, "tpot_ms": 50}}""";

    private static final String DEVICE = "result.devices[0].";
    private static final String CACHE = DEVICE + "assumptions.find { it.about == 'kv_cache' }";

    @Override
    ValidatableResponse optimize(String body) {
        return json(body)
                .queryParam("include", "all")
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
                .body(
                        "detail",
                        containsString(
                                "include has the unknown value \"rows\"; allowed: probes, frontier, compositions, all_rows, defaults, all"));
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
                .statusCode(422);
    }

    static List<String> questions() {
        return List.of(
                MEASURED,
                MEASURED.replace("vllm", "trtllm").replace("\"tpot_ms\": 30", "\"tpot_ms\": 60"),
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
        JsonPath asked = optimize(question.replace("\"backend\"", "\"kv_cache_dtype\": \"bf16\", \"backend\""))
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
}
