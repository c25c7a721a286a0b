package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rows become commands of serving engines: with the row's figures, with limits never larger, or with the reason why
/// not.
class LaunchIT extends HttpTest {

    private static final String DENSE = """
            {"model_id": "Qwen/Qwen3-32B", "devices": ["ATLAS_800_A2_376T_64G"], "num_devices": 4, "slo": {"tpot_ms": 50},
             "workload": {"input_length": 3500, "output_length": 1500}, "serving": {"compile": true},
             "search": {"tp_sizes": [4], "batch_range": [64, 64]}}""";

    private static final String EXPERTS = """
            {"model_id": "Qwen/Qwen3-30B-A3B", "devices": ["TEST_DEVICE"], "num_devices": 16, "slo": {"tpot_ms": 200},
             "workload": {"input_length": 3500, "output_length": 1500}, "serving": {"compile": true},
             "search": {"tp_sizes": [%d], "ep_sizes": [%d], "moe_dp_sizes": [%d]}}""";

    @Test
    void aDenseRowIsStartedOnAscend() {
        String job = id(DENSE);

        launch(job, "engine=vllm-ascend")
                .statusCode(200)
                .body("engine_version", equalTo("0.23.0"))
                .body("servers", hasSize(1))
                .body("servers[0].instances", equalTo(1))
                .body("servers[0].environment.TASK_QUEUE_ENABLE", equalTo("1"))
                .body(
                        "servers[0].options.option",
                        equalTo(List.of(
                                "--tensor-parallel-size 4",
                                "--max-num-seqs 64",
                                "--max-num-batched-tokens 7064",
                                "--max-model-len 5256",
                                "--gpu-memory-utilization 0.84",
                                "--compilation-config '{\"cudagraph_mode\":\"FULL_DECODE_ONLY\"}'",
                                "--quantization ascend",
                                "--no-enable-prefix-caching")))
                .body("servers[0].options.source", everyItem(not(equalTo(""))))
                .body("checkpoint", containsString("quantized as W8A8_DYNAMIC"))
                .body("checks", nullValue());
    }

    /// With data parallel attention SGLang counts the whole instance: 16 devices, and every limit times DP.
    @Test
    void sglangCountsTheWholeInstanceWhereAttentionIsDataParallel() {
        String job = id(EXPERTS.formatted(4, 16, 1));
        JsonPath row = api().get(OPTIMIZATIONS + "/" + job + "/result").jsonPath();
        long batch = row.getLong("devices[0].phases[0].best.batch_size");

        launch(job, "engine=sglang")
                .statusCode(200)
                .body("servers[0].options.option", hasItem("--tp-size 16"))
                .body("servers[0].options.option", hasItem("--dp-size 4"))
                .body("servers[0].options.option", hasItem("--enable-dp-attention"))
                .body("servers[0].options.option", hasItem("--ep-size 16"))
                .body("servers[0].options.option", hasItem("--max-running-requests " + 4 * batch));
        launch(job, "engine=vllm")
                .statusCode(200)
                .body("servers[0].options.option", hasItem("--max-num-seqs " + batch))
                .body("servers[0].options.option", hasItem("--enable-expert-parallel"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4 | 4 | 1 | vllm | it splits experts over all devices or not at all",
                "4 | 4 | 4 | vllm | it keeps no replicas of all experts",
                "4 | 4 | 4 | sglang | replicas of the experts exist with attention context parallelism only",
                "4 | 16 | 1 | trtllm | attention is data parallel over all devices or not at all, not TP 4 beside DP 4",
                "4 | 16 | 1 | mindie | expert parallelism is documented for DeepSeek only, not for Qwen/Qwen3-30B-A3B",
            })
    void whatAnEngineCannotDoIsRefusedWithTheReason(int tp, int ep, int moeDp, String engine, String reason) {
        String job = id(EXPERTS.formatted(tp, ep, moeDp));

        launch(job, "engine=" + engine)
                .statusCode(422)
                .contentType("application/problem+json")
                .body("type", equalTo("/problems/cannot-launch"))
                .body("detail", containsString(reason));
    }

    @Test
    void aRefusalNamesARowThatStarts() {
        String request = """
                {"model_id": "meta-llama/Llama-4-Maverick-17B-128E-Instruct", "devices": ["H200_SXM"],
                 "num_devices": 8, "cost_model": "calibrated", "engine": {"backend": "trtllm"},
                 "quantization": {"scheme": "BF16"}, "slo": {"tpot_ms": 60},
                 "workload": {"input_length": 4000, "output_length": 500}}""";
        String detail = script(request, 1).statusCode(422).extract().path("detail");
        Matcher rank = Pattern.compile("not TP 2 beside DP 4\\. Set rank to ([0-9]+), which it can run\\.$")
                .matcher(detail);

        assertThat(rank.find()).as(detail).isTrue();
        script(request, Integer.parseInt(rank.group(1))).statusCode(200);
    }

    private ValidatableResponse script(String request, int rank) {
        return json(request)
                .header("Prefer", "wait=60")
                .post("/api/v1/launch-scripts?engine=trtllm&rank=" + rank)
                .then();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rank=1 | engine | is required, since the request has no engine.backend; allowed: vllm, vllm-ascend, sglang, trtllm, mindie",
                "engine=tgi | engine | must be one of vllm, vllm-ascend, sglang, trtllm, mindie, got \"tgi\"",
                "engine=vllm&rank=0 | rank | must be a number from 1 to 1, the rows of aggregation, got 0",
                "engine=vllm&rank=x | rank | must be a whole number from 1, got \"x\"",
                "engine=vllm&benchmark=1 | benchmark | must be true or false, got \"1\"",
                "engine=vllm&device=H100 | device | must be one of ATLAS_800_A2_376T_64G, got H100",
            })
    void aWrongParameterIsRefusedByName(String query, String parameter, String message) {
        launch(id(DENSE), query)
                .statusCode(400)
                .body("errors[0].parameter", equalTo(parameter))
                .body("errors[0].detail", containsString(message));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "*/*;q=0.1, text/plain"})
    void aScriptSaysWhatIsNotInTheCommand(String accepted) {
        api().accept(accepted)
                .get(OPTIMIZATIONS + "/" + id(DENSE) + "/launch?engine=sglang&benchmark=true")
                .then()
                .statusCode(200)
                .contentType("text/plain;charset=UTF-8")
                .body(startsWith("# Qwen/Qwen3-32B, W8A8_DYNAMIC on ATLAS_800_A2_376T_64G, row 1, sglang 0.5.16\n"))
                .body(containsString("\n# unsure: nothing that was read divides --max-prefill-tokens"))
                .body(containsString("\n  --device npu --attention-backend ascend --dtype bfloat16 \\\n"))
                .body(containsString("\n# check, with sglang.bench_serving\n"));
    }

    /// Requests of a rank, tokens of its step beside those that decode, and the share of memory that the row leaves
    /// free.
    @EveryNight
    @Test
    void limitsAreNeverLargerThanTheRows() {
        Random random = new Random(20261122);
        for (int trial = 0; trial < 12; trial++) {
            int input = 200 + random.nextInt(6000);
            int reserved = random.nextInt(20);
            String job = id("""
                    {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 8, "slo": {"tpot_ms": 80},
                     "accounting": "%s", "workload": {"input_length": %d, "output_length": 200},
                     "serving": {"reserved_memory_gb": %d}, "search": {"tp_sizes": [1, 2, 4, 8]}}""".formatted(random.nextBoolean() ? "documented" : "steady", input, reserved));
            JsonPath result = api().get(OPTIMIZATIONS + "/" + job + "/result").jsonPath();
            List<Map<String, ?>> rows = result.getList("devices[0].phases[0].rows");
            for (int rank = 1; rank <= rows.size(); rank++) {
                String row = "devices[0].phases[0].rows[" + (rank - 1) + "]";
                long batch = result.getLong(row + ".batch_size");
                long budget = result.getLong(row + ".max_batched_tokens");
                double total = result.getDouble(row + ".memory.total_gb");
                String vllm = command(job, "vllm", rank);
                assertThat(figure(vllm, "--max-num-seqs")).isEqualTo(batch);
                assertThat(figure(vllm, "--max-num-batched-tokens"))
                        .isLessThanOrEqualTo(Math.max(budget, input) + batch);
                assertThat(figure(vllm, "--gpu-memory-utilization") * total).isLessThanOrEqualTo(total - reserved);
                String sglang = command(job, "sglang", rank);
                assertThat(figure(sglang, "--max-running-requests")).isEqualTo(batch);
                assertThat(figure(sglang, "--chunked-prefill-size")).isLessThanOrEqualTo(Math.max(budget, input));
            }
        }
    }

    private String command(String job, String engine, int rank) {
        return launch(job, "engine=" + engine + "&rank=" + rank)
                .statusCode(200)
                .extract()
                .path("servers[0].command");
    }

    private static double figure(String command, String option) {
        Matcher figure = Pattern.compile(option + " ([0-9.]+)").matcher(command);
        assertThat(figure.find()).as(command).isTrue();
        return Double.parseDouble(figure.group(1));
    }

    private String id(String question) {
        return optimize(question).extract().path("id");
    }

    private ValidatableResponse launch(String job, String query) {
        return api().accept("application/json")
                .get(OPTIMIZATIONS + "/" + job + "/launch?" + query)
                .then();
    }
}
