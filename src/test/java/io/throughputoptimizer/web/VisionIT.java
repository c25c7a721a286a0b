package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.restassured.path.json.JsonPath;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Images in requests.
class VisionIT extends HttpTest {
    private static final String MODEL = "Qwen/Qwen3-VL-8B-Instruct";
    private static final String IMAGE = ", \"image\": {\"batch_size\": 1, \"height\": 1080, \"width\": 1920}";
    private static final int IMAGE_TOKENS = 2042;

    private static final String PASS = """
            {"model_id": "MODEL", "device": "TEST_DEVICE", "num_devices": 2, "compile": true, "quantization": {"linear": "DISABLED"},
             "pass": {"phase": "PHASE", "concurrency": 2, "query_len": QUERY, "seq_len": CONTEXT IMAGE}}""";

    private static final String SEARCH = """
            {"model_id": "MODEL", "devices": ["TEST_DEVICE"], "num_devices": 2, "mode": "disaggregation", "search": {"tp_sizes": [2]},
             "workload": {"input_length": 1000, "output_length": 100 IMAGE}, "slo": {"ttft_ms": 3000}}""";

    /// The reference's figures for this pass; see `VisionReferenceTest` for what is seen of the half percent.
    @Test
    void prefillRunsImagesThroughTheTower() {
        JsonPath estimate = estimate(MODEL, "prefill", 100, 100, IMAGE);

        assertThat(estimate.getDouble("latency_ms")).isCloseTo(514.967913, Percentage.withPercentage(0.5));
        assertThat(estimate.getDouble("memory.weight_gb")).isCloseTo(9.406701, Percentage.withPercentage(1e-5));
        assertThat(estimate.getBoolean("memory.exact")).isFalse();
        assertThat(estimate.getList("operators.name")).contains("aten.convolution.default", "vision.patch_indexing");
    }

    @Test
    void decodeHasTheirTokensInItsContext() {
        assertThat(estimate(MODEL, "decode", 1, 501, IMAGE).getMap(""))
                .isEqualTo(estimate(MODEL, "decode", 1, 501 + IMAGE_TOKENS, "").getMap(""));
    }

    @Test
    void unlessToldARequestHasAsManyImagesAsItsRankHasRequests() {
        String two = IMAGE.replace("\"batch_size\": 1", "\"batch_size\": 2");
        String unsaid = IMAGE.replace("\"batch_size\": 1, ", "");

        assertThat(estimate(MODEL, "prefill", 100, 100, unsaid).getMap(""))
                .isEqualTo(estimate(MODEL, "prefill", 100, 100, two).getMap(""));
    }

    /// As documented: the catalogue says which models see images.
    @Test
    void aTextModelIgnoresThem() {
        String model = "Qwen/Qwen3-8B";

        assertThat(estimate(model, "prefill", 100, 100, IMAGE).getMap(""))
                .isEqualTo(estimate(model, "prefill", 100, 100, "").getMap(""));
        assertThat(search(model, IMAGE).getMap("")).isEqualTo(search(model, "").getMap(""));
    }

    @Test
    void theCatalogueSaysWhichModelsSeeImages() {
        api().get("/api/v1/models/" + MODEL).then().body("supported.images", equalTo(true));
        api().get("/api/v1/models/Qwen/Qwen3-8B").then().body("supported.images", equalTo(false));
        api().get("/api/v1/models")
                .then()
                .body("models.findAll { it.supported.images }.id", hasItem("Qwen/Qwen3-VL-30B-A3B-Instruct"));
    }

    private JsonPath estimate(String model, String phase, int query, int context, String image) {
        return json(pass(model, phase, query, context, image))
                .post("/api/v1/estimates")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
    }

    private static String pass(String model, String phase, int query, int context, String image) {
        return PASS.replace("MODEL", model)
                .replace("PHASE", phase)
                .replace("QUERY", Integer.toString(query))
                .replace("CONTEXT", Integer.toString(context))
                .replace(" IMAGE", image);
    }

    /// The best row.
    private JsonPath search(String model, String image) {
        JsonPath job = optimize(SEARCH.replace("MODEL", model).replace(" IMAGE", image))
                .extract()
                .jsonPath();
        return job.setRootPath("result.devices[0].phases[0].best");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Qwen/Qwen3.5-27B", "Qwen/Qwen3.6-35B-A3B", "moonshotai/Kimi-K2.5"})
    void imagesThatAreSeenAndNotPricedAreRefused(String model) {
        String image = "\"image\": {\"height\": 448, \"width\": 448}";
        json("""
                {"model_id": "%s", "device": "TEST_DEVICE", "num_devices": 16, "compile": true,
                 "pass": {"phase": "prefill", "concurrency": 1, "query_len": 100, "seq_len": 100, %s}}""".formatted(model, image))
                .post("/api/v1/estimates")
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/pass/image"))
                .body("errors[0].detail", containsString("is not priced"));
        json("""
                {"model_id": "%s", "devices": ["TEST_DEVICE"], "num_devices": 16, "serving": {"compile": true}, "slo": {"tpot_ms": 50},
                 "workload": {"input_length": 1000, "output_length": 100, %s}}""".formatted(model, image))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", contains("/workload/image"));
    }
}
