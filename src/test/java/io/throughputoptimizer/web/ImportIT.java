package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/// Experiments of AIConfigurator become requests that the service takes.
class ImportIT extends HttpTest {
    private static final String TOGETHER = """
            exps: [dense, waiting]
            dense:
              serving_mode: agg
              model_path: Qwen/Qwen3-32B-FP8
              system_name: h200_sxm
              backend_name: vllm
              backend_version: 0.24.0
              total_gpus: 8
              isl: 4000
              osl: 500
              prefix: 1000
              ttft: 600.0
              tpot: 16.7
              agg_tp_candidates: [2, 4]
              agg_pp_candidates: [1]
              gemm_quant_mode: fp8
              kvcache_quant_mode: bfloat16
              free_gpu_memory_fraction: 0.9
              something_new: 7
            waiting:
              model_path: Qwen/Qwen3-32B
              system_name: h100_sxm
              backend_name: trtllm
              request_latency: 12000
              osl: 300
            """;

    private static final String APART = """
            wide:
              serving_mode: disagg
              isl: 1000
              osl: 100
              total_gpus: 32
              tpot: 40.0
              ttft: 1000.0
              nextn: 1
              nextn_accepted: 0.85
              prefill_model_path: deepseek-ai/DeepSeek-V3
              decode_model_path: deepseek-ai/DeepSeek-V3
              prefill_backend_name: sglang
              decode_backend_name: sglang
              prefill_system_name: h200_sxm
              decode_system_name: h200_sxm
              prefill_gemm_quant_mode: fp8_block
              prefill_moe_quant_mode: fp8_block
              decode_gemm_quant_mode: fp8_block
              decode_moe_quant_mode: fp8_block
              decode_kvcache_quant_mode: fp8
              prefill_num_gpu_candidates: [8, 16]
              decode_num_gpu_candidates: [8, 16]
              prefill_tp_candidates: [1, 8]
              decode_tp_candidates: [1]
              prefill_moe_ep_candidates: [8, 16]
              decode_moe_ep_candidates: [8, 16]
              prefill_latency_correction: 1.1
              prefill_enable_eplb: true
            """;

    private static final String MIXED_DEVICES = """
            hetero:
              serving_mode: disagg
              total_gpus: 16
              isl: 4000
              osl: 500
              ttft: 900
              tpot: 50
              prefill_model_path: Qwen/Qwen3-32B-FP8
              decode_model_path: Qwen/Qwen3-32B-FP8
              prefill_backend_name: trtllm
              decode_backend_name: trtllm
              prefill_system_name: b200_sxm
              decode_system_name: h200_sxm
              prefill_gemm_quant_mode: nvfp4
            """;

    private static final String PREDICTION = """
            {"schema_version": "aic-estimate-request/1.0.0", "model": {"path": "Qwen/Qwen3-32B-FP8"},
             "backend": {"name": "vllm", "version": "0.24.0", "database_mode": "SILICON"},
             "systems": {"prefill": "h100_sxm"}, "workload": {"isl": 3000, "osl": 300, "concurrency": 32},
             "topology": {"kind": "agg", "worker": {"replicas": 2, "gpus_per_replica": 2, "batch_size": 16, "tp_size": 2}},
             "provenance": {"source_type": "custom"}}""";

    @Test
    void membersWithACounterpartAreInTheRequestAndTheOthersAreNamed() {
        ValidatableResponse read = imported(TOGETHER);

        read.body("experiments.name", contains("dense", "waiting"))
                .body("experiments[0].request.cost_model", equalTo("calibrated"))
                .body("experiments[0].request.mode", equalTo("aggregation"))
                .body("experiments[0].request.model_id", equalTo("Qwen/Qwen3-32B-FP8"))
                .body("experiments[0].request.devices", contains("H200_SXM"))
                .body("experiments[0].request.num_devices", equalTo(8))
                .body("experiments[0].request.engine.backend", equalTo("vllm"))
                .body("experiments[0].request.engine.version", equalTo("0.24.0"))
                .body("experiments[0].request.engine.kv_cache", equalTo("bf16"))
                .body("experiments[0].request.quantization.scheme", equalTo("FP8"))
                .body("experiments[0].request.workload.prefix_cache_hit_rate", equalTo(0.25))
                .body("experiments[0].request.slo.ttft_ms", equalTo(600.0))
                .body("experiments[0].request.search.tp_sizes", contains(2, 4))
                .body("experiments[0].assumed", hasSize(0))
                .body(
                        "experiments[0].left_out.member",
                        contains("agg_pp_candidates", "free_gpu_memory_fraction", "something_new"))
                .body("experiments[0].left_out[2].reason", equalTo("is not known here"))
                .body("experiments[0].refused", nullValue());
        read.body("experiments[1].request.slo.request_latency_ms", equalTo(12000.0))
                .body("experiments[1].request.slo.ttft_ms", nullValue())
                .body("experiments[1].request.workload.input_length", equalTo(4000))
                .body("experiments[1].request.workload.output_length", equalTo(300))
                .body("experiments[1].assumed", hasItem(containsString("num_devices is 8")))
                .body(
                        "experiments[1].assumed",
                        hasItem("workload.input_length is 4000: the default of AIConfigurator"));
        accepted(read.extract().jsonPath(), 2);
    }

    @Test
    void prefillAndDecodeApartBecomePairs() {
        ValidatableResponse read = imported(APART);

        read.body("experiments[0].request.mode", equalTo("pd_ratio"))
                .body("experiments[0].request.pd_ratio.prefill_devices_per_instance", contains(8, 16))
                .body("experiments[0].request.search.tp_sizes", contains(1, 8))
                .body("experiments[0].request.search.ep_sizes", contains(8, 16))
                .body("experiments[0].request.quantization.scheme", equalTo("FP8_BLOCK"))
                .body("experiments[0].request.speculation.tokens", contains(1))
                .body("experiments[0].request.speculation.accepted", equalTo(1.85))
                .body("experiments[0].left_out.member", hasItems("prefill_tp_candidates", "prefill_enable_eplb"))
                .body("experiments[0].refused", nullValue());
    }

    @Test
    void sidesOnTwoKindsOfDeviceKeepThem() {
        ValidatableResponse read = imported(MIXED_DEVICES);

        read.body("experiments[0].request.devices", contains("B200_SXM", "H200_SXM"))
                .body("experiments[0].request.pd_ratio.prefill_devices", equalTo("B200_SXM"))
                .body("experiments[0].request.pd_ratio.decode_devices", equalTo("H200_SXM"))
                .body("experiments[0].request.quantization.scheme", equalTo("FP8_BLOCK"))
                .body("experiments[0].left_out.member", hasItems("prefill_gemm_quant_mode", "total_gpus"))
                .body("experiments[0].refused", nullValue());
    }

    @Test
    void aPredictionIsASearchOfOneLayout() {
        JsonPath read = imported(PREDICTION).extract().jsonPath();

        assertThat(read.getString("experiments[0].name")).isEqualTo("prediction");
        assertThat(read.getInt("experiments[0].request.num_devices")).isEqualTo(4);
        assertThat(read.getList("experiments[0].request.search.batch_range")).isEqualTo(List.of(16, 16));
        assertThat(read.getList("experiments[0].left_out.member"))
                .contains("backend.database_mode", "provenance", "workload.concurrency");
        accepted(read, 1);
    }

    /// What a device or a model stands against is said beside the request.
    @Test
    void aRequestThatWouldBeRefusedSaysWhy() {
        imported(TOGETHER.replace("h200_sxm", "gb10").replace("Qwen/Qwen3-32B-FP8", "nobody/nothing"))
                .body("experiments[0].refused.pointer", hasItems("/devices/0", "/model_id"))
                .body("experiments[1].refused", nullValue());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a: &x [1]\\nb: *x          | /b            | is an alias",
                "exps: [one]                | /exps         | names one, which is not in the file",
                "exps: []                   | ''            | has no experiment",
                "x: {isl: many}             | /x/isl        | a whole number is needed",
                "x: {isl: 1.5}              | /x/isl        | a whole number is needed",
                "x: {agg_tp_candidates: 4}  | /x/agg_tp_candidates | a list of at most 64 whole numbers is needed",
                "x: {model_path: [a]}       | /x/model_path | a text of at most 256 characters is needed",
                "exps: [x]\\nx: 3           | /x            | an object is needed",
                "schema_version: 3          | /schema_version | aic-estimate-request/1.0.0 is needed",
                "x: {isl: 1}\\nx: {isl: 2}  | ''            | x"
            })
    void whatIsNoSuchFileIsRefusedByMember(String yaml, String pointer, String message) {
        post(yaml.replace("\\n", "\n"))
                .statusCode(400)
                .body("errors[0].pointer", equalTo(pointer))
                .body("errors[0].message", containsString(message));
    }

    /// Neither types of another language nor values without end are made of a document.
    @Test
    void hostileDocumentsAreNoFiles() {
        post("x: !!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[]]]")
                .statusCode(400);
        post("x: " + "[".repeat(5000)).statusCode(400);
        post("x: {isl: 1}\n#" + "x".repeat(3_000_000)).statusCode(413);
        StringBuilder many = new StringBuilder();
        IntStream.range(0, 101)
                .forEach(number -> many.append("e").append(number).append(": {isl: 1}\n"));
        post(many.toString()).statusCode(400).body("errors[0].message", containsString("at most 100"));
    }

    private void accepted(JsonPath read, int experiments) {
        for (int experiment = 0; experiment < experiments; experiment++) {
            Map<String, Object> request = read.getMap("experiments[" + experiment + "].request");
            optimize(JsonMapper.shared().writeValueAsString(request)).body("status", equalTo("succeeded"));
        }
    }

    private ValidatableResponse imported(String file) {
        return post(file).statusCode(200);
    }

    private ValidatableResponse post(String file) {
        return api().contentType("application/yaml")
                .body(file.getBytes(StandardCharsets.UTF_8))
                .post("/api/v1/import")
                .then();
    }
}
