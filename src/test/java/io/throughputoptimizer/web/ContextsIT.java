package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.fixture.RequestEditor;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How long requests may get on each layout, asked of a job.
class ContextsIT extends HttpTest {
    private static final String MEASURED = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "search": {"tp_sizes": [1, 2]},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 1000, "tpot_ms": 30}}""";

    /// Keeps no limit, and is answered all the same: with 3 devices head counts do not divide.
    private static final String ANALYTIC = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM", "A100_SXM"], "num_devices": 6,
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"tpot_ms": 0.001},
             "search": {"tp_sizes": [2, 3]}}""";

    private static final String PAIR = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 24, "mode": "pd_ratio",
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 4000, "tpot_ms": 50},
             "search": {"tp_sizes": [2]},
             "pd_ratio": {"prefill_devices_per_instance": 4, "decode_devices_per_instance": 2}}""";

    @Test
    void eachLayoutSaysItsLongestRequestAndHowManyItHolds() {
        String job = id(MEASURED);

        contexts(job, "")
                .body("model_context_tokens", equalTo(40960))
                .body("concurrency", equalTo(1))
                .body("context_tokens", equalTo(5000))
                .body("layouts.parallel.label", contains("TP=1 | PP=1 | DP=1", "TP=2 | PP=1 | DP=1"))
                .body("layouts.longest_context_tokens", everyItem(equalTo(40960)))
                .body("layouts.memory_context_tokens", everyItem(greaterThan(300_000)))
                .body("layouts.phase", everyItem(equalTo("aggregation")))
                .body("omitted_layouts", nullValue());
        JsonPath both =
                contexts(job, "?concurrency=16&context_tokens=32768").extract().jsonPath();
        assertThat(both.getInt("layouts[0].memory_context_tokens"))
                .isEqualTo(both.getInt("layouts[0].longest_context_tokens"))
                .isLessThan(both.getInt("layouts[1].memory_context_tokens"));
        int most = both.getInt("layouts[1].most_requests");
        assertThat(both.getDouble("layouts[1].requests_held"))
                .isBetween((double) most, most + 1.0)
                .isEqualTo(both.getDouble("layouts[1].requests_admitted"));
        contexts(job, "?concurrency=" + most).body("layouts[1].memory_context_tokens", greaterThan(32767));
        contexts(job, "?concurrency=" + (most + 1)).body("layouts[1].memory_context_tokens", not(greaterThan(32767)));
    }

    @Test
    void layoutsThatBreakALimitAreAnsweredAndImpossibleOnesSayWhy() {
        contexts(id(ANALYTIC), "")
                .body("layouts", hasSize(4))
                .body("layouts.device", hasItems("H100_SXM", "A100_SXM"))
                .body("layouts.findAll { it.parallel.tp == 2 }.longest_context_tokens", everyItem(notNullValue()))
                .body("layouts.requests_held", everyItem(nullValue()))
                .body("layouts.findAll { it.parallel.tp == 3 }.obstacle", everyItem(notNullValue()))
                .body("layouts.findAll { it.parallel.tp == 3 }.most_requests", everyItem(nullValue()));
    }

    @Test
    void instancesThatPrefillHoldAPrompt() {
        contexts(id(PAIR), "?context_tokens=20000")
                .body("layouts.phase", contains("prefill", "decode"))
                .body("layouts.num_devices", contains(4, 2))
                .body("layouts[0].most_requests", equalTo(2))
                .body("layouts[1].most_requests", greaterThan(2));
    }

    /// Sizes and kinds of instances that a demand is planned with.
    @ParameterizedTest
    @ValueSource(strings = {MEASURED, ANALYTIC})
    void capacityIsAnsweredForEachSizeOfInstance(String question) {
        String capacity = RequestEditor.with(
                RequestEditor.with(
                        RequestEditor.with(question, "/mode", "\"capacity\""), "/demand", "{\"concurrency\": 8}"),
                "/slo",
                "{\"tpot_ms\": 100}");
        String one = RequestEditor.with(
                RequestEditor.with(capacity, "/search", "{\"tp_sizes\": []}"), "/instance_sizes", "[2]");
        contexts(id(one), "")
                .body("layouts.phase", hasItems("aggregation", "prefill", "decode"))
                .body("layouts.num_devices", everyItem(equalTo(2)));
    }

    @Test
    void theTableIsTextAndValuesToo() {
        String job = id(MEASURED);

        String text = api().accept("text/plain")
                .get(OPTIMIZATIONS + "/" + job + "/contexts?concurrency=16")
                .then()
                .statusCode(200)
                .extract()
                .asString();
        assertThat(text).contains("Longest requests, of 16 at once", "Most requests at once, of 5000 tokens each");
        List<String> lines = api().accept("text/csv")
                .get(OPTIMIZATIONS + "/" + job + "/contexts")
                .then()
                .statusCode(200)
                .extract()
                .asString()
                .lines()
                .toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.getFirst()).startsWith("device,phase,num_devices,parallel,concurrency,longest_context");
        assertThat(lines.get(1)).startsWith("H100_SXM,aggregation,1,TP=1 | PP=1 | DP=1,1,40960,");
    }

    @Test
    void serversAreToldTheLongestRequestThatFits() {
        String job = id(MEASURED);

        launch(job, "&context_tokens=longest")
                .statusCode(200)
                .body("servers[0].options.option", hasItem("--max-model-len 40960"))
                .body("notes", hasItem(containsString("of requests of 40960 tokens an instance holds")));
        launch(job, "&context_tokens=20000")
                .statusCode(200)
                .body("servers[0].options.option", hasItem("--max-model-len 20000"));
        launch(job, "").statusCode(200).body("servers[0].options.option", hasItem("--max-model-len 5256"));
        assertThat(api().get(OPTIMIZATIONS + "/" + job + "/launch/manifests?engine=vllm&context_tokens=20000")
                        .then()
                        .statusCode(200)
                        .extract()
                        .asString())
                .contains("--max-model-len 20000", "# of requests of 20000 tokens an instance holds");
        launch(job, "&context_tokens=50000")
                .statusCode(422)
                .body("detail", equalTo("A request of 50000 tokens does not fit this row: the longest has 40960."));
        launch(job, "&context_tokens=4999")
                .statusCode(400)
                .body("errors[0].parameter", equalTo("context_tokens"))
                .body("errors[0].detail", containsString("5000 tokens"));
        launch(job, "&context_tokens=none").statusCode(400).body("errors[0].detail", containsString("longest"));
    }

    @Test
    void bothSidesOfAPairAreToldTheSame() {
        launch(id(PAIR), "&context_tokens=longest")
                .statusCode(200)
                .body("servers[0].options.option", hasItem("--max-model-len 40960"))
                .body("servers[1].options.option", hasItem("--max-model-len 40960"));
    }

    @ParameterizedTest
    @CsvSource({
        "?concurrency=0, concurrency",
        "?concurrency=1000001, concurrency",
        "?concurrency=many, concurrency",
        "?context_tokens=-1, context_tokens",
        "?context_tokens=99999999999999999999, context_tokens"
    })
    void numbersOutOfRangeAreRefusedByName(String query, String parameter) {
        api().get(OPTIMIZATIONS + "/" + id(MEASURED) + "/contexts" + query)
                .then()
                .statusCode(400)
                .body("errors[0].parameter", equalTo(parameter));
    }

    /// Context lengths near those that vLLM chose (kaito#2156), of models of the catalogue. The engine keeps
    /// memory that no pass takes, which the tokens of a small cache show.
    @ParameterizedTest
    @CsvSource({
        "Qwen/Qwen3-8B,           DISABLED,     22.488, 1, 0.90, 35840",
        "Qwen/Qwen3-14B,          DISABLED,     22.488, 2, 0.90, 74667",
        "Qwen/Qwen3.5-397B-A17B,  W4A8_DYNAMIC, 93.58,  4, 0.90, 2454972",
        "MiniMaxAI/MiniMax-M2.7,  FP8,          93.58,  4, 0.70, 183179",
        "MiniMaxAI/MiniMax-M2.7,  FP8,          93.58,  4, 0.75, 261505"
    })
    void figuresOfServersAreThoseOfTheDocumentation(
            String model, String linear, double memory, int devices, double share, int tokens) {
        String request = """
                {"model_id": "%s", "num_devices": %d, "devices": ["OTHER"], "accounting": "steady",
                 "device_profiles": [{"name": "OTHER", "vendor": "NVIDIA",
                   "compute": {"matrix_tflops": {"fp32": 60, "bf16": 125, "fp16": 125, "int8": 250, "fp8": 250},
                     "general_tflops": {"fp32": 31, "bf16": 31, "fp16": 31}, "efficiency": 0.7},
                   "memory": {"capacity_gb": %s, "bandwidth_tb_per_s": 0.55, "efficiency": 0.8},
                   "static_costs_us": {"matrix": 2, "general": 2, "communication": 5},
                   "interconnect": {"grid": [8], "links": [{"bandwidth_gb_per_s": 32, "latency_us": 0,
                     "efficiency": 0.8, "topology": "CLOS"}]}}],
                 "workload": {"input_length": 1000, "output_length": 100}, "slo": {"tpot_ms": 1000},
                 "quantization": {"linear": "%s", "attention": "DISABLED"},
                 "serving": {"compile": true, "reserved_memory_gb": %.4f},
                 "search": {"tp_sizes": [%d], "ep_sizes": [1], "max_batched_tokens": [2048], "batch_range": [1, 1]}}""".formatted(model, devices, memory, linear, (1 - share) * memory, devices);

        contexts(id(request), "").body("layouts[0].memory_context_tokens", equalTo(tokens));
    }

    private ValidatableResponse contexts(String job, String query) {
        return api().accept("application/json")
                .get(OPTIMIZATIONS + "/" + job + "/contexts" + query)
                .then()
                .statusCode(200);
    }

    private ValidatableResponse launch(String job, String more) {
        return api().accept("application/json")
                .get(OPTIMIZATIONS + "/" + job + "/launch?engine=vllm" + more)
                .then();
    }

    private String id(String question) {
        return optimize(question).extract().path("id");
    }
}
