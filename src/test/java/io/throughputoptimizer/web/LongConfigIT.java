package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.web.description.Examples;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;

/// Configurations of models that name ten thousands of quantized modules, and what else is as long.
@TestPropertySource(properties = "optimizer.http.maximum-bodies=64MB")
class LongConfigIT extends HttpTest {
    private static final String ESTIMATES = "/api/v1/estimates";
    private static final int MEGABYTE = 1 << 20;

    private static final String MODEL = """
            "architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "hidden_size": 2048, "num_hidden_layers": 48,
            "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "num_experts": 128,
            "num_experts_per_tok": 8, "moe_intermediate_size": 768, "norm_topk_prob": true, "vocab_size": 151936,
            "max_position_embeddings": 40960, "rms_norm_eps": 1e-06""";

    private static String estimate(String more) {
        return """
                {"num_devices": 2, "cost_model": "analytic", "device": "TEST_DEVICE", "compile": true, "quantization": {"checkpoint": true},
                 "pass": {"phase": "decode", "concurrency": 8, "query_len": 1, "seq_len": 1000},
                 "model_config": {MODEL MORE}}""".replace("MODEL", MODEL).replace("MORE", more);
    }

    /// Every expert's matrices by name, as ModelOpt writes mixed precision; several megabytes.
    private static String layerByLayer() {
        String experts = IntStream.range(0, 48)
                .boxed()
                .flatMap(
                        layer -> IntStream.range(0, 128)
                                .boxed()
                                .flatMap(
                                        expert -> IntStream.range(0, 3)
                                                .mapToObj(
                                                        part ->
                                                                "\"a_prefix_that_some_tool_writes_before_all_of_its_names.model.layers."
                                                                        + layer
                                                                        + ".mlp.experts." + expert + "."
                                                                        + new String[] {"gate", "up", "down"}[part]
                                                                        + "_proj\": {\"quant_algo\": \"NVFP4\", \"group_size\": 16, \"calibrated\": \"max\"}")))
                .collect(Collectors.joining(", "))
                .replace("a_prefix_that_some_tool_writes_before_all_of_its_names.", "language_model.");
        return ", \"quantization_config\": {\"quant_method\": \"modelopt\", \"quant_algo\": \"MIXED_PRECISION\","
                + " \"kv_cache_quant_algo\": \"FP8\", \"quantized_layers\": {" + experts + "}}";
    }

    @Test
    void aLongListOfModulesIsPricedAsTheShortOneThatSaysTheSame() {
        String body = estimate(layerByLayer());
        assertThat(body.length()).isBetween(2 * MEGABYTE, 8 * MEGABYTE);
        String same = estimate("""
                , "quantization_config": {"quant_method": "modelopt", "quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8",
                   "exclude_modules": ["re:.*self_attn.*"]}""");

        JsonPath priced = post(body).statusCode(200).extract().jsonPath();

        assertThat(priced.getString("checkpoint_quantization.linear")).isEqualTo("MXFP4");
        assertThat(priced.getString("checkpoint_quantization.non_expert_linear"))
                .isEqualTo("DISABLED");
        assertThat(priced.getDouble("latency_ms"))
                .isEqualTo(post(same).statusCode(200).extract().jsonPath().getDouble("latency_ms"));
    }

    /// What is stored and handed out again is short.
    @Test
    void aJobKeepsTheNamesFolded() {
        String body = estimate(layerByLayer())
                .replaceFirst(
                        "(?s)\"pass\": \\{[^}]*\\}",
                        "\"workload\": {\"input_length\": 1000, \"output_length\": 100}, \"search\": {\"batch_range\": [8, 8]}")
                .replace("\"device\": \"TEST_DEVICE\"", "\"devices\": [\"TEST_DEVICE\"]")
                .replace("\"compile\": true,", "\"serving\": {\"compile\": true},");

        JsonPath job = optimize(body).extract().jsonPath();

        assertThat(job.getMap("request.model_config.quantization_config.quantized_layers"))
                .hasSize(3)
                .allSatisfy((name, _) -> assertThat(String.valueOf(name)).startsWith("re:"));
        assertThat(job.getMap("asked.model_config.quantization_config.quantized_layers"))
                .hasSize(3);
    }

    @Test
    void rowsOfABenchmarkMayBringSuchAConfigurationToo() {
        String body = Examples.text("measurements.json")
                .replace("\"model_id\": \"Qwen/Qwen3-32B\"", "\"model_config\": {" + MODEL + layerByLayer() + "}");
        assertThat(body.length()).isBetween(2 * MEGABYTE, 8 * MEGABYTE);

        json(body)
                .post(MeasurementController.PATH)
                .then()
                .statusCode(201)
                .body("rows[0].predicted.tpot_ms", greaterThan(0.0));
    }

    private ValidatableResponse post(String body) {
        return json(body).post(ESTIMATES).then();
    }

    /// Nothing else may be as long: other lists, other members, other formats, other requests.
    @Test
    void whatIsLeftMustBeAsShortAsOtherBodies() {
        String names = IntStream.range(0, 60_000)
                .mapToObj(
                        i -> "\"layers." + i * 7919L % 1_000_003 + ".of.module.number." + i * 104_729L % 999_983 + "\"")
                .collect(Collectors.joining(","));
        String text = "x".repeat(2 * MEGABYTE);

        tooLong(estimate(", \"quantization_config\": {\"quant_method\": \"fp8\", \"ignore\": [" + names + "]}"));
        tooLong(estimate(", \"auto_map\": \"" + text + "\""));
        tooLong(estimate("").replace("{\"num_devices\"", "{\"model_id\": \"" + text + "\", \"num_devices\""));
        yaml(estimate("") + " ".repeat(MEGABYTE)).post(ESTIMATES).then().statusCode(413);
        json("{}" + " ".repeat(MEGABYTE)).post("/api/v1/keys").then().statusCode(413);
    }

    private void tooLong(String body) {
        post(body).statusCode(413).body("type", endsWith("body-too-large"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":", "[{\"a\":["})
    void depthIsRefusedByNameWhereverItIs(String nested) {
        String deep = nested.repeat(4 * MEGABYTE / nested.length());

        post(estimate(", \"quantization_config\": {\"ignore\": " + deep + "}")).statusCode(400);
        tooLong(deep.substring(0, MEGABYTE + 1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1,2,3,4,5,6,7,8,9,0,|is too large",
                "[{},[],{},[],{},[],|is too large",
                "{|",
                "\"unended|",
                "[\"\\uD800\",|surrogate"
            })
    void widthAndWhatIsMalformedAreRefused(String begin, String said) {
        String wide = begin.startsWith("[") ? begin + begin.substring(1).repeat(5 * MEGABYTE / begin.length()) : begin;
        String body = estimate(", \"quantization_config\": {\"ignore\": " + wide) + " ".repeat(MEGABYTE);

        post(body).statusCode(400).body("errors[0].detail", containsString(said == null ? "" : said));
    }

    /// As Nemotron-H publishes it; a request is refused by what is missing.
    @Test
    void infinityIsANumberInAConfigurationOnly() {
        post(estimate(", \"time_step_limit\": [0.0, Infinity], \"another\": -Infinity"))
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/quantization/checkpoint"));
        post(estimate(", \"time_step_limit\": [0.0, Infinity]").replace("\"checkpoint\": true", ""))
                .statusCode(200);
        post(estimate("").replace("\"hidden_size\": 2048", "\"hidden_size\": Infinity"))
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/model_config/hidden_size"));
        post(estimate(", \"time_step_limit\": [0.0, NaN]"))
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/model_config/time_step_limit/1"))
                .body("errors[0].detail", containsString("is NaN, which is no number in JSON"));
        post(estimate("").replace("\"num_devices\": 2", "\"num_devices\": Infinity"))
                .statusCode(400)
                .body("errors[0].pointer", equalTo("/num_devices"))
                .body("errors[0].detail", containsString("is Infinity, which is no number in JSON"));
    }
}
