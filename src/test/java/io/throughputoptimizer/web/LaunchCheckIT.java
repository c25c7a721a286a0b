package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A benchmark of a launched plan sends the plan's load to where clients would send it, or says what it does not send.
class LaunchCheckIT extends HttpTest {
    private static final String REPLICAS = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 1000, "tpot_ms": 30}%s}""";

    private static final String PAIR = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 8, "mode": "pd_ratio",
             "workload": {"input_length": 3885, "output_length": 2355}, "slo": {"ttft_ms": 4200, "tpot_ms": 24},
             "serving": {"compile": true},
             "pd_ratio": {"prefill_devices_per_instance": 1, "decode_devices_per_instance": 1}}""";

    private static final String PREFIXED = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 1,
             "workload": {"input_length": 2000, "output_length": 300, "prefix_cache_hit_rate": 0.4},
             "slo": {"ttft_ms": 4200.6, "tpot_ms": 38.6}}""";

    private static final String MIXED = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 1, "accounting": "steady",
             "workload": {"length_distribution": {"bins": [{"min_tokens": 0, "max_tokens": 1000, "weight": 3},
                                                           {"min_tokens": 1000, "max_tokens": 3000, "weight": 1}]},
                          "output_length": 200, "prefix_cache_hit_rate": 0.25},
             "slo": {"tpot_ms": 50}}""";

    /// Four servers of 82 requests at once: whoever sends 328 of them to one would see three quarters wait.
    @Test
    void replicasStandBehindARouterThatGetsTheWholeLoad() {
        JsonPath launch = launch(id(REPLICAS.formatted("")), "engine=vllm&benchmark=true");

        long instances = launch.getLong("servers[0].instances");
        long each = option(launch.getString("servers[0].command"), "--max-num-seqs");
        assertThat(instances).isGreaterThan(1);
        assertThat(launch.getInt("servers[0].port")).isEqualTo(8001);
        assertThat(launch.getString("servers[0].command")).contains("--port \"${PORT:-8001}\"");
        assertThat(launch.getInt("router_port")).isEqualTo(8000);
        assertThat(launch.getString("router")).startsWith("nginx ");
        assertThat(launch.getString("router_file.content"))
                .contains(
                        "listen 8000;",
                        "least_conn;",
                        "server 127.0.0.1:8001 ",
                        "server 127.0.0.1:%d ".formatted(8000 + instances))
                .doesNotContain("127.0.0.1:%d ".formatted(8001 + instances));
        assertThat(launch.getString("checks[0].command"))
                .contains(
                        ":8000\"",
                        "--max-concurrency " + instances * each + " ",
                        "--num-prompts " + 10 * instances * each);
        assertThat(launch.getString("load")).contains(each + " for each of " + instances + " servers");
    }

    /// One server of the plan, at its lowest, a middle and its highest concurrency; all that the files do not say.
    @Test
    void whatTeachesMostIsMeasuredAtOneServerAndComesBack() {
        String id = id(REPLICAS.replace("\"backend\": \"vllm\"", "\"backend\": \"vllm\", \"version\": \"0.11.0\"")
                .formatted(""));
        JsonPath launch = launch(id, "engine=vllm&benchmark=true");
        long most = option(launch.getString("servers[0].command"), "--max-num-seqs");

        assertThat(launch.getList("measure.concurrencies", Long.class))
                .containsExactly(1L, Math.round(Math.sqrt(most)), most);
        assertThat(launch.getInt("measure.port")).isEqualTo(8001);
        assertThat(launch.getList("measure.commands", String.class))
                .hasSize(3)
                .allMatch(command -> command.contains(":8001\"")
                        && command.contains("--append-result --result-filename measured.jsonl")
                        && !command.contains("--save-result")
                        && !command.contains("--goodput"))
                .last()
                .asString()
                .contains("--max-concurrency " + most + " ", "--num-prompts " + 10 * most + " ");
        assertThat(launch.getString("measure.bring"))
                .startsWith("cat measured.jsonl | curl ")
                .contains("/api/v1/measurements/from-file?model_id=Qwen/Qwen3-32B&served_model=$MODEL&device=H100_SXM"
                        + "&scheme=FP8&kv_cache_dtype=fp8&backend=vllm&version=${VERSION:-0.11.0}&tp=2&dp=1");
        assertThat(launch.getString("measure.next"))
                .isEqualTo("\"engine\": {\"backend\": \"vllm\", \"version\": \"0.11.0\"}, \"feedback\":"
                        + " {\"measurements\": [\"ID\"]}");
        assertThat(launch(id, "engine=vllm").getString("measure")).isNull();
        assertThat(launch(id, "engine=sglang&benchmark=true").getList("measure.commands", String.class))
                .allMatch(command -> command.contains("--output-file measured.jsonl"));
        assertThat(launch(id, "engine=trtllm&benchmark=true").getString("measure.bring"))
                .startsWith("cat measured-*.json | curl ")
                .contains("version=${VERSION:-0.11.0}");
    }

    @Test
    void whatNoRowIsOfIsNotMeasuredAndWhatIsNotLearntFromIsNotNamed() {
        assertThat(launch(id(PREFIXED), "engine=vllm&benchmark=true").getString("measure"))
                .isNull();
        assertThat(launch(id(PAIR), "engine=vllm&benchmark=true").getString("measure"))
                .isNull();
        JsonPath compared =
                launch(id(MIXED.replace(", \"prefix_cache_hit_rate\": 0.25", "")), "engine=vllm&benchmark=true");
        assertThat(compared.getString("measure.bring"))
                .contains("&linear=W8A8_DYNAMIC&attention=DISABLED&")
                .contains("VERSION:?");
        assertThat(compared.getString("measure.next")).isNull();
    }

    /// A bin from 1000 to 3000 tokens stands for 2000 in the row; a server that takes no more refuses a third of it.
    @Test
    void aServerTakesTheLongestRequestOfAMix() {
        assertThat(launch(id(MIXED), "engine=vllm").getString("servers[0].command"))
                .contains("--max-model-len " + (3000 + 200 + 256) + " ");
    }

    /// What a benchmark cannot send is said with it, and the script does not call it a check of the plan.
    @Test
    void whatIsNotSentIsSaid() {
        String job = id("""
                {"cost_model": "analytic", "model_id": "deepseek-ai/DeepSeek-V3.1", "devices": ["H200_SXM"], "num_devices": 8,
                 "workload": {"input_length": 1000, "output_length": 300}, "slo": {"tpot_ms": 100},
                 "serving": {"num_mtp_tokens": 1, "compile": true}}""");

        launched(job, "engine=sglang&benchmark=true")
                .body("checks[0].not_sent", hasItem(containsString("draft tokens")));
        assertThat(script(job, "engine=sglang&benchmark=true"))
                .contains(
                        "# check of a part of the plan, with sglang.bench_serving; it does not send text whose draft tokens")
                .doesNotContain("# check, with");
    }

    @Test
    void anotherEngineThanThePlansIsSaidFirst() {
        String job = id(REPLICAS.formatted(""));

        launched(job, "engine=sglang")
                .body(
                        "notes[0]",
                        equalTo(
                                "the figures are those of vLLM; these commands start SGLang, which may serve more or less"));
        launched(job, "engine=vllm").body("notes", not(hasItem(containsString("the figures are those"))));
        assertThat(script(job, "engine=sglang").lines().skip(2).findFirst().orElseThrow())
                .isEqualTo(
                        "# the figures are those of vLLM; these commands start SGLang, which may serve more or less");
    }

    private static long option(String command, String name) {
        String[] words = command.split("\\s+");
        return Long.parseLong(words[List.of(words).indexOf(name) + 1]);
    }

    private String id(String question) {
        return optimize(question).extract().path("id");
    }

    private JsonPath launch(String job, String query) {
        return launched(job, query).extract().jsonPath();
    }

    private ValidatableResponse launched(String job, String query) {
        return api().accept("application/json")
                .get(OPTIMIZATIONS + "/" + job + "/launch?" + query)
                .then()
                .statusCode(200);
    }

    private String script(String job, String query) {
        return api().accept("text/plain")
                .get(OPTIMIZATIONS + "/" + job + "/launch?" + query)
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }
}
