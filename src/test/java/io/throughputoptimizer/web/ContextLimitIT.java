package io.throughputoptimizer.web;

import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.fixture.RequestEditor;
import io.throughputoptimizer.web.description.Examples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContextLimitIT extends HttpTest {
    private static final String ESTIMATES = "/api/v1/estimates";
    private static final String SIMULATIONS = "/api/v1/simulations";

    private static final String CALIBRATED_SEARCH = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 2,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 1000, "output_length": 100}, "slo": {"tpot_ms": 50}}""";

    @Test
    void modelsNameTheirContextAndTheirFamily() {
        api().get("/api/v1/models")
                .then()
                .body("models.find { it.id == 'Qwen/Qwen3-32B' }.max_model_len", equalTo(40960))
                .body("models.find { it.id == 'openai/gpt-oss-120b' }.max_model_len", equalTo(32 * 4096))
                .body("models.find { it.id == 'zai-org/GLM-4.6' }.family", equalTo("GLM-4.5 to 4.7"))
                .body("models.find { it.id == 'Qwen/Qwen3-30B-A3B' }.family", equalTo("Qwen3"))
                .body("models.family", hasItems("Qwen3.5 and 3.6", "DeepSeek-V3", "Kimi-K2.5", "gpt-oss"))
                .body("models.findAll { it.family == it.model_type }.size()", equalTo(0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/workload/input_length        | 40861                  | /workload/input_length        | 40961",
                "/workload/output_length       | 39961                  | /workload/input_length        | 40961",
                "/workload/length_distribution | {\"bins\": [{\"min_tokens\": 0, \"max_tokens\": 90000, \"weight\": 1}]} | /workload/length_distribution | 90100"
            })
    void aLongerSearchIsRefusedWithBothFiguresUnlessItIsMeant(String member, String value, String pointer, String sum) {
        String longer = RequestEditor.with(PREFILL, member, value);
        if (value.contains("bins")) {
            longer = RequestEditor.with(longer, "/workload/input_length", "null");
        }

        refused(OPTIMIZATIONS, longer, pointer, sum);
        optimize(meant(longer)).body("request.allow_beyond_context", equalTo(true));
    }

    /// It reaches 140,000 tokens, and figures for it are compared with the reference's.
    @Test
    void theReferencesOwnDistributionIsPricedForEveryModel() {
        String builtIn = RequestEditor.with(
                RequestEditor.with(PREFILL, "/workload/input_length", "null"),
                "/workload/length_distribution",
                "{\"name\": \"builtin\"}");

        optimize(builtIn).body("request.allow_beyond_context", nullValue());
    }

    @Test
    void aPrefixInTheCacheIsInTheContextToo() {
        String cached = RequestEditor.with(
                RequestEditor.with(PREFILL, "/workload/input_length", "45000"),
                "/workload/prefix_cache_hit_rate",
                "0.5");

        refused(OPTIMIZATIONS, cached, "/workload/input_length", "45100");
    }

    /// A picture of 1920 by 1080 becomes 60 by 34 tokens and two marks.
    @Test
    void imagesCountWhereTheModelReadsThem() {
        String request = RequestEditor.with(
                RequestEditor.with(
                        PREFILL, "/workload/image", "{\"batch_size\": 3, \"height\": 1080, \"width\": 1920}"),
                "/workload/input_length",
                "258000");

        refused(
                OPTIMIZATIONS,
                RequestEditor.with(request, "/model_id", "\"Qwen/Qwen3-VL-8B-Instruct\""),
                "/workload/input_length",
                "with 100 output tokens and 6126 tokens of images that is 264226, and the context of"
                        + " Qwen/Qwen3-VL-8B-Instruct ends at 262144");
        optimize(RequestEditor.with(
                RequestEditor.with(request, "/model_id", "\"zai-org/GLM-4.6\""), "/workload/input_length", "202652"));
    }

    @Test
    void aCalibratedSearchIsRefusedAlike() {
        String longer = RequestEditor.with(CALIBRATED_SEARCH, "/workload/output_length", "40000");

        refused(OPTIMIZATIONS, longer, "/workload/input_length", "41000");
        optimize(CALIBRATED_SEARCH).body("request.allow_beyond_context", nullValue());
        optimize(meant(longer)).body("request.allow_beyond_context", equalTo(true));
    }

    @Test
    void anEstimateIsRefusedByEachLengthThatIsTooLong() {
        String list = """
                {"model_id": "Qwen/Qwen3-8B", "device": "TEST_DEVICE", "pass": {"phase": "prefill", "requests": [
                  {"count": 1, "query_len": 512, "seq_len": 40960}, {"count": 1, "query_len": 512, "seq_len": 40961}]}}""";
        String decode = RequestEditor.with(Examples.text("decode-pass.json"), "/pass/seq_len", "131073");

        refused(ESTIMATES, list, "/pass/requests/1/seq_len", "40960");
        refused(ESTIMATES, decode, "/pass/seq_len", "131072");
        refused(
                ESTIMATES,
                RequestEditor.with(Examples.text("calibrated-pass.json"), "/pass/seq_len", "50000"),
                "/pass/seq_len",
                "40960");
        json(meant(list)).post(ESTIMATES).then().statusCode(200);
        json(meant(decode)).post(ESTIMATES).then().statusCode(200);
        json(meant(RequestEditor.with(Examples.text("calibrated-pass.json"), "/pass/seq_len", "50000")))
                .post(ESTIMATES)
                .then()
                .statusCode(200);
    }

    @Test
    void aSimulationIsRefusedAlike() {
        String longer = RequestEditor.with(
                RequestEditor.with(Examples.text("closed-loop.json"), "/workload/input_length", "40900"),
                "/traffic/concurrency",
                "2");

        refused(SIMULATIONS, longer, "/workload/input_length", "42400");
        json(meant(longer)).post(SIMULATIONS).then().statusCode(200);
    }

    @Test
    void anInlineModelNamesItsOwnContext() {
        String longer = RequestEditor.with(
                RequestEditor.with(Examples.text("inline-model.json"), "/workload/input_length", "60000"),
                "/slo",
                "{}");

        refused(OPTIMIZATIONS, longer, "/workload/input_length", "40960");
        refused(
                OPTIMIZATIONS,
                RequestEditor.with(Examples.text("inline-model.json"), "/model_config/max_model_len", "1199"),
                "/workload/input_length",
                "with 200 output tokens that is 1200, and the context of my/model ends at 1199 tokens");
        optimize(RequestEditor.with(
                longer,
                "/model_config/rope_scaling",
                "{\"rope_type\": \"yarn\", \"factor\": 2, \"original_max_position_embeddings\": 32768}"));
    }

    private static String meant(String request) {
        return RequestEditor.with(request, "/allow_beyond_context", "true");
    }

    private ValidatableResponse refused(String path, String request, String pointer, String figure) {
        return json(request)
                .post(path)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains(pointer))
                .body(
                        "errors[0].detail",
                        allOf(
                                containsString(figure),
                                containsString(" ends at "),
                                containsString("allow_beyond_context")));
    }
}
