package io.throughputoptimizer.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.reading.ProblemReader.Accepted;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.fixture.BuiltIn;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Options of commands that decide memory, and plans that do not start.
class LaunchMemoryTest {
    private static final String NONE = "";

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                // engine | share, sequences, token budget and context | note
                "NONE | --gpu-memory-utilization 0.92 --max-num-seqs --max-num-batched-tokens 8192 --max-model-len 5256 |",
                "\"version\": \"0.10.1\" | --gpu-memory-utilization 0.9 | the memory is that of vLLM 0.10; options are called as in 0.24.0",
                "\"memory_share\": 0.885 | --gpu-memory-utilization 0.885 |",
                "\"memory_share\": 0.999 | --gpu-memory-utilization 0.99 | the memory share is 0.99 and not 0.999: the engine takes 0.5",
                "\"kv_pool_gib\": 20.5 | --kv-cache-memory-bytes 22011707392 | the engine ignores its memory share",
                "\"kv_tokens\": 100000 | --kv-cache-memory-bytes 14769192960 | the engine ignores its memory share",
                "\"max_model_len\": 16384 | --max-model-len 16384 |",
                "\"max_model_len\": 90000 | --max-model-len 40960 | the context of the server is 40960 tokens and not 90000",
                "\"cuda_graphs\": false | --enforce-eager |",
                "\"image_tower\": false | --limit-mm-per-prompt '{\"image\":0 |",
            })
    void commandsHaveTheSettingsOfTheMemory(String engine, String options, String note) {
        LaunchResponse launch = launch("vllm", "Qwen/Qwen3-8B", engine.equals("NONE") ? NONE : ", " + engine);

        String command = launch.servers().getFirst().command();
        for (String option : options.split(" (?=--)")) {
            assertThat(command).contains(option);
        }
        assertThat(command.contains("--kv-cache-memory-bytes")).isEqualTo(options.contains("--kv-cache-memory-bytes"));
        assertThat(command.contains("--gpu-memory-utilization"))
                .isNotEqualTo(options.contains("--kv-cache-memory-bytes"));
        if (note == null) {
            assertThat(launch.notes())
                    .filteredOn(words -> !words.startsWith("the low end of the memory interval"))
                    .noneMatch(words -> words.contains("memory"));
        } else {
            assertThat(launch.notes()).anyMatch(words -> words.contains(note));
        }
    }

    @Test
    void sglangHasTheShareThatTheRequestStates() {
        assertThat(command("sglang", NONE)).doesNotContain("--mem-fraction-static");
        assertThat(command("sglang", ", \"memory_share\": 0.85")).contains("--mem-fraction-static 0.85");
    }

    @Test
    void tensorRtHasTheShareOfTheRow() {
        LaunchResponse launch = launch("trtllm", "Qwen/Qwen3-8B", NONE);

        assertThat(launch.servers().getFirst().file().content()).contains("free_gpu_memory_fraction: 0.9");
    }

    @Test
    void anotherEngineDoesNotHaveTheMemoryOfTheRow() {
        Accepted accepted = accepted("vllm", "Qwen/Qwen3-8B", ", \"memory_share\": 0.8");

        LaunchResponse launch = launch(accepted, answer(accepted), "sglang");

        assertThat(launch.servers().getFirst().command()).doesNotContain("--mem-fraction-static");
        assertThat(launch.withoutOption()).contains(EngineRules.NO_SHARE);
    }

    /// The pool of the row at its low end admits 4000 tokens.
    @Test
    void contextIsLoweredToWhatStartsAtTheLowEnd() {
        LaunchResponse slack = edited("max_model_len_low", "5100");
        LaunchResponse shorter = edited("max_model_len_low", "4000");

        assertThat(slack.servers().getFirst().command()).contains("--max-model-len 5100");
        assertThat(slack.notes())
                .contains("the context of the server is 5100 tokens and not 5256: the low end of the memory admits no"
                        + " longer request");
        assertThat(shorter.servers().getFirst().command()).contains("--max-model-len 4000");
        assertThat(shorter.notes())
                .anyMatch(note -> note.startsWith("the low end of the memory holds ")
                        && note.endsWith("admit requests of up to 4000 tokens; the longest of the load has 5000, and"
                                + " the server may reject it"));
    }

    @ParameterizedTest
    @CsvSource({"fits, '\"no\"'", "max_model_len_low, 0"})
    void rowsThatDoNotStartAreRefusedWithParts(String field, String value) {
        assertThatThrownBy(() -> edited(field, value))
                .isInstanceOf(CannotLaunchException.class)
                .hasMessageMatching(
                        "A server of this row does not start: one request of 5000 tokens needs 0\\.69 GiB of"
                                + " KV cache, and a rank has .* GiB \\(at the low end .* GiB\\): seen 79\\.19 GiB, share 0\\.92,"
                                + " weights 15\\.27 GiB, activation .* GiB, other 0\\.25 GiB, graphs .* GiB");
    }

    @Test
    void poolsThatAreNotOnTheDeviceAreRefused() {
        assertThatThrownBy(() -> command("vllm", ", \"kv_pool_gib\": 70"))
                .isInstanceOf(CannotLaunchException.class)
                .hasMessageContaining("the request states 70.00 GiB of KV cache, and a device leaves ");
    }

    /// Section 9 of the memory law: 71.27 - 65.91 - 7.38 - 0.13 = -2.15 GiB with 1024 sequences.
    @Test
    void requestsWithoutAServerThatStartsAreRefusedWithParts() {
        assertThatThrownBy(() -> launch(
                        "vllm",
                        "openai/gpt-oss-120b",
                        ", \"version\": \"0.10.1\", \"memory_share\": 0.9, \"max_num_seqs\": 1024"))
                .isInstanceOf(CannotLaunchException.class)
                .hasMessageContaining("No server of the request starts; TP=1 | PP=1 | DP=1")
                .hasMessageContaining("and a rank has -2.15 GiB")
                .hasMessageContaining(
                        "share 0.9, weights 65.91 GiB, activation 7.38 GiB, other 0.13 GiB, graphs 0.00 GiB");
    }

    @Test
    void olderRowsHaveNoShare() {
        Accepted accepted = accepted("vllm", "Qwen/Qwen3-8B", NONE);
        ObjectNode stored = tree(answer(accepted));
        memory(stored).remove(List.of("seen_gib", "memory_share", "kv_pool_gib", "max_model_len_low"));

        LaunchResponse launch = launch(accepted, WireFormat.read(stored.toString(), ResultResponse.class), "vllm");

        assertThat(launch.servers().getFirst().command())
                .contains("--max-model-len 5256")
                .doesNotContain("--gpu-memory-utilization", "--kv-cache-memory-bytes");
        assertThat(launch.withoutOption()).anyMatch(words -> words.contains("earlier version"));
    }

    private static LaunchResponse edited(String field, String value) {
        Accepted accepted = accepted("vllm", "Qwen/Qwen3-8B", NONE);
        ObjectNode stored = tree(answer(accepted));
        memory(stored).set(field, JsonMapper.shared().readTree(value));
        return launch(accepted, WireFormat.read(stored.toString(), ResultResponse.class), "vllm");
    }

    private static ObjectNode tree(ResultResponse result) {
        return (ObjectNode) JsonMapper.shared().readTree(WireFormat.write(result));
    }

    private static ObjectNode memory(JsonNode result) {
        return (ObjectNode) result.at("/devices/0/phases/0/rows/0/memory");
    }

    private static String command(String backend, String engine) {
        return launch(backend, "Qwen/Qwen3-8B", engine).servers().getFirst().command();
    }

    private static LaunchResponse launch(String backend, String model, String engine) {
        Accepted accepted = accepted(backend, model, engine);
        return launch(accepted, answer(accepted), backend);
    }

    private static LaunchResponse launch(Accepted accepted, ResultResponse result, String backend) {
        return new Launcher(BuiltIn.CATALOGS, backend)
                .launch(accepted.effective(), result, new Launcher.Asked(null, 1, null), false);
    }

    private static ResultResponse answer(Accepted accepted) {
        return LaunchMemoryLawTest.SEARCH.answer(accepted.problem(), SearchMonitor.SILENT);
    }

    private static Accepted accepted(String backend, String model, String engine) {
        return LaunchMemoryLawTest.PROBLEMS.accept(WireFormat.read(
                """
                {"cost_model": "calibrated", "model_id": "%s", "devices": ["H100_SXM"], "num_devices": 1,
                 "workload": {"input_length": 3500, "output_length": 1500},
                 "engine": {"backend": "%s"%s}, "quantization": {"scheme": "%s"}}""".formatted(model, backend, engine, model.startsWith("openai") ? "MXFP4_EXPERTS" : "BF16"),
                OptimizationRequest.class));
    }
}
