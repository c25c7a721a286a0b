package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OptimizationIT extends HttpTest {

    @Test
    void aBestRowThatNobodyWouldRunSaysSo() {
        String question = """
                {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8, "serving": {"compile": true},
                 "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"tpot_ms": 50%s}}""";
        String late =
                "the first token takes 10.0 s, longer than people wait; a limit on TTFT gives a plan with less load";
        String id = optimize(question.formatted(""))
                .body("result.devices[0].phases[0].rows.warnings.flatten()", hasItem(late))
                .body("result.devices[0].phases[0].best.warnings", hasItem(late))
                .extract()
                .path("id");
        assertThat(report(id, "text/plain")).contains("Warning: Top 1: " + late + ".");
        assertThat(optimize(question.formatted(", \"ttft_ms\": 2000")).extract().asString())
                .doesNotContain("the first token takes");
    }

    /// Defaults depend on each other, so that a question is changed from its body alone.
    @Test
    void aJobSaysWhatWasAskedBesideWhatWasFilledIn() {
        String asked = """
                {"model_id": "Qwen/Qwen3-32B", "cost_model": "calibrated", "devices": ["H100_SXM"], "num_devices": 4,
                 "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "slo": {"ttft_ms": "inf"},
                 "workload": {"input_length": 1000, "output_length": 100}}""";
        String id = optimize(asked)
                .body("request.engine.kv_cache", equalTo("fp8"))
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
    void theEffectiveRequestHasEveryDefault() {
        Map<String, ?> request = optimize(PREFILL).extract().jsonPath().getMap("request");

        assertThat(request)
                .isEqualTo(Map.ofEntries(
                        Map.entry("model_id", "Qwen/Qwen3-8B"),
                        Map.entry("devices", List.of("TEST_DEVICE")),
                        Map.entry("device_profiles", List.of()),
                        Map.entry("num_devices", 2),
                        Map.entry("mode", "disaggregation"),
                        Map.entry(
                                "workload",
                                Map.of("input_length", 1000, "output_length", 100, "prefix_cache_hit_rate", 0.0)),
                        Map.entry("slo", Map.of("ttft_ms", 2000.0)),
                        Map.entry(
                                "quantization",
                                Map.of("linear", "W8A8_DYNAMIC", "attention", "DISABLED", "mxfp4_group_size", 32)),
                        Map.entry(
                                "search",
                                Map.of("tp_sizes", List.of(), "strategy", "exponential", "max_batched_tokens", 8192)),
                        Map.entry(
                                "serving",
                                Map.of(
                                        "compile",
                                        false,
                                        "reserved_memory_gb",
                                        10.0,
                                        "serving_cost_ms",
                                        0.0,
                                        "num_mtp_tokens",
                                        0,
                                        "mtp_acceptance_rate",
                                        List.of(0.9, 0.6, 0.4, 0.2))),
                        Map.entry("accounting", "documented"),
                        Map.entry("dump_original_results", false)));
    }

    @Test
    void rowsHaveTheMembersOfTheContractAndNoOthers() {
        Map<String, ?> row = optimize(PREFILL).extract().path("result.devices[0].phases[0].best");

        assertThat(row.keySet())
                .containsExactly(
                        "rank",
                        "parallel",
                        "batch_size",
                        "concurrency",
                        "ttft_ms",
                        "tokens_per_s",
                        "tokens_per_s_per_device",
                        "qps",
                        "sustained_qps",
                        "input_length",
                        "output_length",
                        "effective_input_length",
                        "max_batched_tokens",
                        "prefill_num_chunks",
                        "breakdown",
                        "memory",
                        "binds");
        assertThat(members(row, "parallel")).containsExactly("label", "tp", "pp", "dp");
        assertThat(members(row, "memory"))
                .containsExactly(
                        "total_gb", "weight_gb", "kv_cache_gb", "activation_gb", "reserved_gb", "available_gb");
        assertThat(members(row, "breakdown")).containsExactly("memory", "communication", "compute_mma", "compute_gp");
    }

    private static List<String> members(Map<String, ?> row, String member) {
        return row.get(member) instanceof Map<?, ?> map
                ? map.keySet().stream().map(Object::toString).toList()
                : List.of();
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
    void anInfeasibleSearchSucceedsAndSaysWhy() {
        optimize(PREFILL.replace("\"ttft_ms\": 2000", "\"ttft_ms\": 0.001"))
                .body("status", equalTo("succeeded"))
                .body("result.devices[0].phases[0].rows", is(empty()))
                .body("result.devices[0].phases[0]", not(hasKey("best")))
                .body("result.devices[0].phases[0].rejected.reason", everyItem(equalTo("ttft")))
                .body("result.devices[0].phases[0].rejected", hasSize(2))
                .body("result.devices[0].phases[0].rejected[0].parallel.tp", equalTo(1))
                .body("result.devices[0].phases[0].rejected[0].batch_size", equalTo(1))
                .body("result.devices[0].phases[0].rejected[0].detail", containsString("0.001"));
    }

    @Test
    void anInfiniteLimitIsTakenAndEchoed() {
        optimize(PREFILL.replace("2000", "\"inf\"").replace("}}", "}, \"search\": {\"batch_range\": [4]}}"))
                .body("request.slo.ttft_ms", equalTo("inf"))
                .body("result.devices[0].phases[0].rows", hasSize(2));
    }

    @Test
    void yamlHasItsOwnInfinity() {
        yaml("""
                model_id: Qwen/Qwen3-8B
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
    void bothLimitsSearchBothPhases() {
        optimize(PREFILL.replace("\"ttft_ms\"", "\"tpot_ms\": 50, \"ttft_ms\""))
                .body("result.devices[0].phases.phase", contains("prefill", "decode"));
    }

    @Test
    void severalDevicesAreComparedEachOnce() {
        optimize(PREFILL.replace(
                        "\"num_devices\"",
                        "\"devices\": [\"TEST_DEVICE\", \"ATLAS_800_A2_376T_64G\", \"TEST_DEVICE\"], \"num_devices\""))
                .body("request.devices", contains("TEST_DEVICE", "ATLAS_800_A2_376T_64G"))
                .body("result.devices.device", contains("TEST_DEVICE", "ATLAS_800_A2_376T_64G"))
                .body("result.device_profiles.device", contains("TEST_DEVICE", "ATLAS_800_A2_376T_64G"))
                .body("result.cross_hardware.phase", contains("prefill"))
                .body("result.cross_hardware[0].rows.rank", contains(1, 2));
    }

    @Test
    void recordedRowsAreDumpedOnDemand() {
        optimize(PREFILL.replace("}}", "}, \"dump_original_results\": true, \"search\": {\"batch_range\": [1, 4]}}"))
                .body("result.original_results.device", everyItem(equalTo("TEST_DEVICE")))
                .body("result.original_results.phase", everyItem(equalTo("prefill")))
                .body("result.original_results[0].parallel.tp", equalTo(1))
                .body("result.original_results[0]", not(hasKey("rank")));
        optimize(PREFILL).body("result", not(hasKey("original_results")));
    }

    @Test
    void yamlAsksTheSameAsJson() {
        String yaml = """
                model_id: Qwen/Qwen3-8B
                num_devices: 2
                mode: disaggregation
                workload: {input_length: 1000, output_length: 100}
                slo: {ttft_ms: 2.0e+3}
                """;
        JsonPath fromYaml = yaml(yaml)
                .queryParam("points", true)
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
                        "\"num_devices\"",
                        "\"devices\": [\"MINE\"], \"device_profiles\": ["
                                + device.replaceFirst("TEST_DEVICE", "MINE")
                                + "], \"num_devices\""))
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
