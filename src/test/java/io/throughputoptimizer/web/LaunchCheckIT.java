package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A benchmark of a launched plan sends the plan's load to where clients would send it, or says what it does not send.
class LaunchCheckIT extends HttpTest {
    private static final String REPLICAS = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 1000, "tpot_ms": 30}%s}""";

    private static final String PAIR = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 8, "mode": "pd_ratio",
             "workload": {"input_length": 3885, "output_length": 2355}, "slo": {"ttft_ms": 4200, "tpot_ms": 24},
             "serving": {"compile": true},
             "pd_ratio": {"prefill_devices_per_instance": 1, "decode_devices_per_instance": 1}}""";

    private static final String PREFIXED = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 1,
             "workload": {"input_length": 2000, "output_length": 300, "prefix_cache_hit_rate": 0.4},
             "slo": {"ttft_ms": 4200.6, "tpot_ms": 38.6}}""";

    private static final String MIXED = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 1, "accounting": "steady",
             "workload": {"length_distribution": {"bins": [{"min_tokens": 0, "max_tokens": 1000, "weight": 3},
                                                           {"min_tokens": 1000, "max_tokens": 3000, "weight": 1}]},
                          "output_length": 200, "prefix_cache_hit_rate": 0.25},
             "slo": {"tpot_ms": 50}}""";

    private static final String DEMAND = """
            {"model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"], "num_devices": 32, "mode": "capacity", "accounting": "documented",
             "workload": {"input_length": 1000, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 30},
             "serving": {"compile": true}, "demand": %s%s}""";

    /// Four servers of 82 requests at once: whoever sends 328 of them to one would see three quarters wait.
    @Test
    void replicasStandBehindARouterThatGetsTheWholeLoad() {
        JsonPath launch = launch(id(REPLICAS.formatted("")), "engine=vllm&check=true");

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
        JsonPath launch = launch(id, "engine=vllm&check=true");
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
                        + "&scheme=FP8&kv_cache=fp8&backend=vllm&version=${VERSION:-0.11.0}&tp=2&dp=1");
        assertThat(launch.getString("measure.next"))
                .isEqualTo("\"engine\": {\"backend\": \"vllm\", \"version\": \"0.11.0\"}, \"feedback\":"
                        + " {\"measurements\": [\"ID\"]}");
        assertThat(launch(id, "engine=vllm").getString("measure")).isNull();
        assertThat(launch(id, "engine=sglang&check=true").getList("measure.commands", String.class))
                .allMatch(command -> command.contains("--output-file measured.jsonl"));
        assertThat(launch(id, "engine=trtllm&check=true").getString("measure.bring"))
                .startsWith("cat measured-*.json | curl ")
                .contains("version=${VERSION:-0.11.0}");
    }

    @Test
    void whatNoRowIsOfIsNotMeasuredAndWhatIsNotLearntFromIsNotNamed() {
        assertThat(launch(id(PREFIXED), "engine=vllm&check=true").getString("measure"))
                .isNull();
        assertThat(launch(id(PAIR), "engine=vllm&check=true").getString("measure"))
                .isNull();
        JsonPath compared =
                launch(id(MIXED.replace(", \"prefix_cache_hit_rate\": 0.25", "")), "engine=vllm&check=true");
        assertThat(compared.getString("measure.bring"))
                .contains("&linear=W8A8_DYNAMIC&attention=DISABLED&")
                .contains("VERSION:?");
        assertThat(compared.getString("measure.next")).isNull();
    }

    @Test
    void sglangRoutesItsReplicasItself() {
        JsonPath launch = launch(id(REPLICAS.formatted("")), "engine=sglang&check=true");

        assertThat(launch.getString("router"))
                .startsWith(
                        "python -m sglang_router.launch_router --worker-urls \"http://${HOST_1:-127.0.0.1}:30001\" ")
                .contains("--port 30000");
        assertThat(launch.getString("router_file")).isNull();
        assertThat(launch.getString("checks[0].command")).contains("--port 30000");
    }

    @ParameterizedTest
    @CsvSource({"vllm, 8192", "sglang, 8000", "trtllm, 8000"})
    void prefillAndDecodeAreAskedThroughTheirRouter(String engine, int port) {
        JsonPath launch = launch(id(PAIR), "engine=" + engine + "&check=true");

        assertThat(launch.getInt("router_port")).isEqualTo(port);
        assertThat(launch.getList("checks.command", String.class))
                .allSatisfy(command ->
                        assertThat(command).containsAnyOf(":" + port + "\"", ":" + port + ",", "--port " + port + " "));
        assertThat(launch.getList("servers.port", Integer.class))
                .doesNotContain(port)
                .doesNotHaveDuplicates();
    }

    @Test
    void aPairOnAscendIsAskedThroughItsProxy() {
        JsonPath launch = launch(
                id(PAIR.replace("H100_SXM", "ATLAS_800_A2_376T_64G").replace("\"tpot_ms\": 24", "\"tpot_ms\": 60")),
                "engine=vllm-ascend&check=true");

        assertThat(launch.getString("checks[0].command")).contains(":1999\"");
        assertThat(launch.getString("router")).contains("--port 1999");
    }

    @Test
    void aRateIsSentAsARate() {
        String job = id(REPLICAS.formatted(", \"traffic\": {\"request_rate\": 2.5}, \"percentiles\": true"));

        JsonPath vllm = launch(job, "engine=vllm&check=true");

        assertThat(vllm.getString("checks[0].command"))
                .contains("--request-rate 2.5 ")
                .doesNotContain("inf", "--max-concurrency");
        assertThat(vllm.getString("checks[1].command")).contains("kind=poisson,rate=2.5");
        assertThat(vllm.getString("load")).startsWith("2.5 requests a second");
    }

    /// Lengths from 80 % of the longest: vLLM takes a middle and a share to both sides, SGLang the share of the
    /// longest.
    @Test
    void unequalLengthsAndWavesAreSent() {
        String job = id(REPLICAS.formatted(", \"traffic\": {\"length_ratio\": 0.8, \"waves\": 20}"));

        JsonPath vllm = launch(job, "engine=vllm&check=true");
        JsonPath sglang = launch(job, "engine=sglang&check=true");

        String command = vllm.getString("checks[0].command");
        assertThat(command).contains("--random-input-len 3150 --random-output-len 1350 --random-range-ratio 0.1111 ");
        assertThat(option(command, "--num-prompts")).isEqualTo(20 * option(command, "--max-concurrency"));
        assertThat(vllm.getString("checks[1].command"))
                .contains("prompt_tokens=3150,prompt_tokens_min=2800,prompt_tokens_max=3500")
                .contains("output_tokens=1350,output_tokens_min=1200,output_tokens_max=1500");
        assertThat(sglang.getString("checks[0].command"))
                .contains("--random-input-len 3500 --random-output-len 1500 --random-range-ratio 0.8 ");
    }

    /// The row's TTFT and TPOT are those at the demand, so the demand is sent, whatever the servers could hold.
    @Test
    void aDemandIsSentAndNotThePeak() {
        JsonPath rate = launch(
                id(DEMAND.formatted("{\"requests_per_s\": 20}", ", \"headroom\": 0.2")), "engine=vllm&check=true");
        JsonPath tokens = launch(id(DEMAND.formatted("{\"tokens_per_s\": 10000}", "")), "engine=vllm&check=true");
        JsonPath users = launch(id(DEMAND.formatted("{\"concurrency\": 300}", "")), "engine=vllm&check=true");

        assertThat(rate.getString("checks[0].command"))
                .contains("--request-rate 20 ")
                .doesNotContain("--max-concurrency");
        assertThat(tokens.getString("checks[0].command")).contains("--request-rate 20 ");
        assertThat(users.getString("checks[0].command")).contains("--request-rate inf --max-concurrency 300 ");
    }

    @Test
    void hitsOfThePrefixCacheAreSentByEveryTool() {
        String job = id(PREFIXED);

        assertThat(launch(job, "engine=vllm&check=true").getString("checks[0].command"))
                .contains("--random-prefix-len 800 --random-input-len 1200 ");
        assertThat(launch(job, "engine=sglang&check=true").getString("checks[0].command"))
                .contains(
                        "--dataset-name generated-shared-prefix --gsp-num-groups 1 ",
                        "--gsp-system-prompt-len 800 --gsp-question-len 1200 --gsp-output-len 300");
        assertThat(launch(job, "engine=trtllm&check=true").getString("checks[0].command"))
                .contains("--random-input-len 1200 ", "--random-prefix-len 800 ");
        assertThat(launch(job, "engine=vllm&check=true").getString("checks[1].command"))
                .contains("prompt_tokens=1200,prefix_tokens=800,prefix_count=1,");
    }

    @Test
    void limitsAreNeverLooser() {
        assertThat(launch(id(PREFIXED), "engine=vllm&check=true").getString("checks[0].command"))
                .contains("--goodput ttft:4200.6 tpot:38.6");
    }

    /// A program writes prompts of the bins, with the model's own tokenizer.
    @ParameterizedTest
    @CsvSource({
        "vllm, --dataset-name custom --dataset-path prompts.jsonl --custom-output-len -1 --skip-chat-template",
        "sglang, --dataset-name custom --dataset-path prompts.jsonl",
        "trtllm, --dataset-name trtllm_custom --dataset-path prompts.jsonl"
    })
    void aMixOfLengthsIsSentAsItIs(String engine, String dataset) {
        JsonPath launch = launch(id(MIXED), "engine=" + engine + "&check=true");

        assertThat(launch.getString("prompts.name")).isEqualTo("prompts.py");
        assertThat(launch.getString("prompts.content"))
                .contains("INPUTS = [(500, 0.75), (2000, 0.25)]", "OUTPUTS = [(200, 1.0)]", "CACHED = 0.25");
        assertThat(launch.getList("checks.command", String.class))
                .allSatisfy(
                        command -> assertThat(command).startsWith("python prompts.py \"$MODEL\" > prompts.jsonl && "));
        assertThat(launch.getString("checks[0].command")).contains(dataset);
        assertThat(launch.getString("checks[1].command")).contains("kind=json_file,path=prompts.jsonl");
        assertThat(launch.getList("checks.not_sent")).containsOnlyNulls();
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
                {"model_id": "deepseek-ai/DeepSeek-V3.1", "devices": ["H200_SXM"], "num_devices": 8,
                 "workload": {"input_length": 1000, "output_length": 300}, "slo": {"tpot_ms": 100},
                 "serving": {"num_mtp_tokens": 1, "compile": true}}""");

        launched(job, "engine=sglang&check=true").body("checks[0].not_sent", hasItem(containsString("draft tokens")));
        assertThat(script(job, "engine=sglang&check=true"))
                .contains(
                        "# check of a part of the plan, with sglang.bench_serving; it does not send text whose draft tokens")
                .doesNotContain("# check, with");
    }

    @Test
    void aPrefillInstanceIsCheckedByItsFirstTokenAndADecodeInstanceNotAtAll() {
        JsonPath prefill = launch(id(PREFILL), "engine=vllm&check=true");
        JsonPath decode = launch(id(PREFILL.replace("\"ttft_ms\": 2000", "\"tpot_ms\": 60")), "engine=vllm&check=true");

        assertThat(prefill.getString("checks[0].command")).contains("--random-output-len 1 ", "--goodput ttft:2000");
        assertThat(decode.getList("checks")).isEmpty();
        assertThat(decode.getList("notes", String.class))
                .anySatisfy(note -> assertThat(note).contains("cannot be checked alone"));
    }

    /// Requests that a step has no room for wait, whatever is written: vLLM does not start with more than its budget.
    @Test
    void thereAreNoMoreRequestsThanTokensOfAStep() {
        String job = id("""
                {"model_id": "Qwen/Qwen3-1.7B", "num_devices": 8, "mode": "pd_ratio", "devices": ["H100_SXM"],
                 "workload": {"input_length": 100, "output_length": 56}, "serving": {"compile": true},
                 "slo": {"tpot_ms": 200.4, "ttft_ms": 8000}, "quantization": {"linear": "DISABLED"},
                 "accounting": "steady", "search": {"max_batched_tokens": 400},
                 "pd_ratio": {"prefill_devices_per_instance": 1, "decode_devices_per_instance": 2}}""");

        JsonPath launch = launch(job, "engine=vllm&check=true");

        for (int side = 0; side < 2; side++) {
            String command = launch.getString("servers[" + side + "].command");
            assertThat(option(command, "--max-num-seqs"))
                    .isLessThanOrEqualTo(option(command, "--max-num-batched-tokens"))
                    .isLessThanOrEqualTo(4096);
        }
        assertThat(launch.getList("notes", String.class))
                .anySatisfy(note -> assertThat(note).contains("requests of a rank", "wait"));
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

    @Test
    void notesHaveASubject() {
        String job = id("""
                {"model_id": "Qwen/Qwen3-30B-A3B", "devices": ["H100_SXM"], "num_devices": 4, "slo": {"tpot_ms": 200},
                 "workload": {"input_length": 1000, "output_length": 100}, "search": {"tp_sizes": [1], "ep_sizes": [4]}}""");

        launched(job, "engine=sglang")
                .body("notes", hasItem("--enable-dp-attention multiplies --schedule-conservativeness by 0.3"));
        launched(job, "engine=vllm")
                .body("notes", hasItem(startsWith("vLLM does not quantize weights to W8A8 itself")));
    }

    /// The ratio as a small fraction leaves devices idle; the commands are the row's, and say which numbers serve most.
    @Test
    void theNumbersThatServeMostAreSaid() {
        String job = id("""
                {"model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"], "num_devices": 16, "mode": "pd_ratio",
                 "workload": {"input_length": 1000, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 30},
                 "serving": {"compile": true},
                 "pd_ratio": {"prefill_devices_per_instance": 2, "decode_devices_per_instance": 4}}""");

        launched(job, "engine=vllm")
                .body("servers.instances", equalTo(List.of(1, 1)))
                .body(
                        "notes[0]",
                        startsWith("the devices that are there serve most with 2 prefill and 3 decode instances: 303"));
    }

    /// What to know before relying on a row is to be known by who starts it.
    @Test
    void warningsOfARowAreNotesOfItsCommands() {
        String job = id("""
                {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8, "mode": "disaggregation",
                 "workload": {"length_distribution": {"name": "builtin"}, "output_length": 1500},
                 "slo": {"ttft_ms": 60000}, "search": {"batch_range": [1, 1]}, "serving": {"compile": true}}""");
        List<String> warnings = api().get(OPTIMIZATIONS + "/" + job + "/result")
                .jsonPath()
                .getList("devices[0].phases[0].rows[0].warnings", String.class);

        assertThat(warnings).isNotEmpty();
        assertThat(launch(job, "engine=vllm").getList("notes", String.class)).containsAll(warnings);
    }

    /// With accounting `steady` pairs choose another batch size than `phases` lists.
    @Test
    void aPairOfAnotherBatchSizeThanItsPhaseListsIsLaunched() {
        String job = id("""
                {"model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"], "num_devices": 16, "mode": "pd_ratio",
                 "accounting": "steady", "workload": {"input_length": 1000, "output_length": 500},
                 "slo": {"ttft_ms": 2000, "tpot_ms": 30}, "serving": {"compile": true},
                 "pd_ratio": {"prefill_devices_per_instance": 2, "decode_devices_per_instance": 2}}""");

        for (String engine : List.of("vllm", "sglang", "trtllm")) {
            launched(job, "engine=" + engine + "&check=true").body("servers", hasSize(2));
        }
    }

    @Test
    void aPairOnMeasuredDevicesIsLaunched() {
        String job = id("""
                {"cost_model": "calibrated", "mode": "pd_ratio", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"],
                 "num_devices": 8, "workload": {"input_length": 3500, "output_length": 1500},
                 "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "slo": {"ttft_ms": 2000, "tpot_ms": 30},
                 "pd_ratio": {"prefill_devices_per_instance": 1, "decode_devices_per_instance": 2}}""");
        JsonPath best = api().get(OPTIMIZATIONS + "/" + job + "/result").jsonPath();
        String pair = "devices[0].pd_ratio.best.";

        JsonPath launch = launch(job, "engine=vllm&check=true");

        long decode = best.getLong(pair + "decode_instances");
        long concurrency = best.getLong(pair + "concurrency");
        assertThat(launch.getLong("servers[0].instances")).isEqualTo(best.getLong(pair + "prefill_instances"));
        assertThat(launch.getLong("servers[1].instances")).isEqualTo(decode);
        assertThat(launch.getString("servers[1].command"))
                .contains("--max-num-seqs " + Math.ceilDiv(concurrency, decode * best.getLong(pair + "parallel_d.dp"))
                        + " ");
        assertThat(launch.getString("checks[0].command")).contains("--max-concurrency " + concurrency + " ");
        launched(job, "engine=sglang");
        launched(job, "engine=trtllm");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"serving\": {\"compile\": true}",
                "\"cost_model\": \"calibrated\", \"engine\": {\"backend\": \"vllm\"}, \"quantization\": {\"scheme\": \"FP8\"}"
            })
    void aPairOfTwoKindsOfDeviceIsLaunchedOnBoth(String model) {
        String job = id("""
                {"mode": "pd_ratio", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM", "H200_SXM"],
                 "num_devices": 8, "workload": {"input_length": 2000, "output_length": 500}, %s,
                 "slo": {"ttft_ms": 3000, "tpot_ms": 40},
                 "pd_ratio": {"prefill_devices_per_instance": 2, "decode_devices_per_instance": 2,
                              "prefill_devices": ["H100_SXM"], "decode_devices": ["H200_SXM"]}}""".formatted(model));

        launched(job, "engine=vllm&check=true")
                .body("servers.device", equalTo(List.of("H100_SXM", "H200_SXM")))
                .body("servers[0].command", containsString("kv_producer"))
                .body("servers[1].command", containsString("kv_consumer"));
        assertThat(script(job, "engine=vllm")).contains("# prefill on H100_SXM: ", "# decode on H200_SXM: ");
    }

    @Test
    void measuredInstancesThatServeADemandApartAreLaunched() {
        String job = id("""
                {"cost_model": "calibrated", "mode": "capacity", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"],
                 "num_devices": 32, "workload": {"input_length": 3500, "output_length": 500},
                 "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "slo": {"ttft_ms": 2000, "tpot_ms": 30},
                 "demand": {"requests_per_s": 10}}""");
        List<String> kinds =
                api().get(OPTIMIZATIONS + "/" + job + "/result").jsonPath().getList("capacity.rows.deployment");
        assertThat(kinds).contains("aggregated", "disaggregated");

        for (String kind : List.of("aggregated", "disaggregated")) {
            JsonPath launch = launch(job, "engine=vllm&check=true&rank=" + (kinds.indexOf(kind) + 1));
            assertThat(launch.getString("checks[0].command")).contains("--request-rate 10 ");
            assertThat(launch.getList("servers")).hasSize(kind.equals("aggregated") ? 1 : 2);
        }
    }

    @Test
    void whatIsNeededIsLaunchedWhereTheDevicesDoNotReach() {
        String job = id("""
                {"model_id": "Qwen/Qwen3-8B", "devices": ["H200_SXM"], "num_devices": 2, "mode": "capacity", "accounting": "documented",
                 "workload": {"input_length": 1000, "output_length": 500}, "slo": {"ttft_ms": 2000, "tpot_ms": 30},
                 "serving": {"compile": true}, "demand": {"requests_per_s": 500}}""");

        launched(job, "engine=vllm&check=true")
                .body("notes[0]", containsString("more than the 2 that are there"))
                .body("checks[0].command", containsString("--request-rate 500 "));
    }

    @Test
    void engineChoicesNameThePlansEngineFirstAndSayWhyOthersCannot() {
        String measured =
                OPTIMIZATIONS + "/" + id(REPLICAS.formatted("").replace("\"vllm\"", "\"sglang\"")) + "/launch/engines";
        String ascend = OPTIMIZATIONS + "/"
                + id(PAIR.replace("H100_SXM", "ATLAS_800_A2_376T_64G").replace("\"tpot_ms\": 24", "\"tpot_ms\": 60"))
                + "/launch/engines";

        api().get(measured)
                .then()
                .statusCode(200)
                .body("engines", hasSize(5))
                .body("engines.find { it.chosen }.engine", equalTo("sglang"))
                .body("engines.find { it.engine == 'vllm' }.refusal", nullValue())
                .body("engines.find { it.engine == 'mindie' }.refusal", containsString("does not run on H100_SXM"));
        api().get(ascend)
                .then()
                .statusCode(200)
                .body("engines.find { it.chosen }.engine", equalTo("vllm-ascend"))
                .body("engines.find { it.engine == 'vllm' }.refusal", containsString("does not run on ATLAS"));
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
