package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OptimizationIT extends HttpTest {
    /// Defaults depend on each other, so that a question is changed from its body alone.
    @Test
    void aJobSaysWhatWasAskedBesideWhatWasFilledIn() {
        String asked = """
                {"model_id": "Qwen/Qwen3-32B", "cost_model": "calibrated", "devices": ["H100_SXM"], "num_devices": 4,
                 "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "slo": {"ttft_ms": "inf"},
                 "workload": {"input_length": 1000, "output_length": 100}}""";
        String id = optimize(asked)
                .body("request.engine.kv_cache_dtype", equalTo("fp8"))
                .extract()
                .path("id");

        JsonNode expected = JsonMapper.shared().readTree(asked);
        for (String answer : List.of(
                optimize(asked).extract().asString(),
                api().get(OPTIMIZATIONS + "/" + id).asString(),
                yaml(asked).header("Prefer", "wait=60").post(OPTIMIZATIONS).asString())) {
            assertThat(JsonMapper.shared().readTree(answer).required("asked")).isEqualTo(expected);
        }
        api().get(OPTIMIZATIONS).then().body("optimizations.asked", everyItem(nullValue()));
    }

    @Test
    void aWaitingCallerGetsTheFinishedJob() {
        json(PREFILL)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .contentType("application/json")
                .header("Preference-Applied", "wait=600")
                .header("Location", containsString("/api/v1/optimizations/"))
                .body("status", equalTo("succeeded"))
                .body("progress.candidates_done", equalTo(2))
                .body("progress.candidates_total", equalTo(2))
                .body("started_at", notNullValue())
                .body("finished_at", notNullValue())
                .body("result.accounting", equalTo("documented"))
                .body("result.devices", hasSize(1))
                .body("result.devices[0].device", equalTo("TEST_DEVICE"))
                .body("result.devices[0].num_devices", equalTo(2))
                .body("result.devices[0].phases.phase", contains("prefill"))
                .body("problem", nullValue());
    }

    @Test
    void theSameRequestGivesTheSameResultButForTheTimeItTook() {
        String first = optimize(PREFILL).extract().path("id");
        String second = optimize(PREFILL).extract().path("id");

        assertThat(first).isNotEqualTo(second);
        assertThat(resultWithoutTime(first)).isEqualTo(resultWithoutTime(second));
    }

    private String resultWithoutTime(String id) {
        return api().get(OPTIMIZATIONS + "/" + id + "/result").asString().replaceAll("\"elapsed_ms\":[0-9.E-]+", "");
    }

    @Test
    void theResultByItselfIsThatOfTheJob() {
        String id = optimize(PREFILL).extract().path("id");
        Map<String, ?> ofJob = api().get(OPTIMIZATIONS + "/" + id).path("result");

        Map<String, ?> byItself = api().get(OPTIMIZATIONS + "/" + id + "/result")
                .then()
                .statusCode(200)
                .contentType("application/json")
                .extract()
                .path("");

        assertThat(byItself).isEqualTo(ofJob);
    }

    @Test
    void yamlHasItsOwnInfinity() {
        yaml("""
                model_id: Qwen/Qwen3-8B
                devices: [TEST_DEVICE]
                mode: disaggregation
                workload: {input_length: 1000, output_length: 100}
                slo: {ttft_ms: .inf}
                search: {batch_range: [2]}
                """)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .body("request.slo.ttft_ms", equalTo("inf"));
    }

    @Test
    void yamlAsksTheSameAsJson() {
        String yaml = """
                model_id: Qwen/Qwen3-8B
                devices: [TEST_DEVICE]
                num_devices: 2
                mode: disaggregation
                workload: {input_length: 1000, output_length: 100}
                slo: {ttft_ms: 2.0e+3}
                """;
        JsonPath fromYaml = yaml(yaml)
                .queryParam("include", "probes,frontier,compositions,all_rows")
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .contentType("application/json")
                .extract()
                .jsonPath();

        JsonPath fromJson = optimize(PREFILL).extract().jsonPath();

        assertThat(fromYaml.getMap("request")).isEqualTo(fromJson.getMap("request"));
        assertThat(fromYaml.getList("result.devices")).isEqualTo(fromJson.getList("result.devices"));
    }

    @Test
    void aDeviceOfTheCatalogueMayComeInline() {
        String device = api().get("/api/v1/devices/TEST_DEVICE").asString();
        JsonPath inline = optimize(PREFILL.replace(
                        "[\"TEST_DEVICE\"]",
                        "[\"MINE\"], \"device_profiles\": [" + device.replaceFirst("TEST_DEVICE", "MINE") + "]"))
                .extract()
                .jsonPath();

        assertThat(inline.getString("result.devices[0].device")).isEqualTo("MINE");
        assertThat(inline.getList("result.devices[0].phases"))
                .isEqualTo(optimize(PREFILL).extract().jsonPath().getList("result.devices[0].phases"));
    }

    @Test
    void anInlineModelConfigurationMayHaveKeysThatDoNotMatter() {
        String config = """
                {"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"], "hidden_size": 4096,
                 "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
                 "intermediate_size": 12288, "vocab_size": 151936, "max_position_embeddings": 40960,
                 "rms_norm_eps": 1e-06, "hidden_act": "silu", "torch_dtype": "bfloat16", "use_cache": true,
                 "something_new": {"a": [1]}}""";
        JsonPath inline = optimize(PREFILL.replace("\"Qwen/Qwen3-8B\"", "\"my/model\", \"model_config\": " + config))
                .extract()
                .jsonPath();

        assertThat(inline.getList("result.devices"))
                .isEqualTo(optimize(PREFILL).extract().jsonPath().getList("result.devices"));
    }
}
