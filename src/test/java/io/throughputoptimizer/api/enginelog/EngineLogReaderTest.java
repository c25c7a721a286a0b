package io.throughputoptimizer.api.enginelog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class EngineLogReaderTest {
    private static final Path LOGS = Path.of("src", "test", "resources", "engine-logs.md");
    private static final Pattern LOG = Pattern.compile(
            "^## ([^\n]+)\n\n[^\n]+\n\n```\n(.*?)```\n\n```json\n(.*?)\n```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final String VLLM = "Available KV cache memory: 58.11 GiB\n";
    private static final String SGLANG = "KV Cache is allocated. #tokens: 46611, K size: 1.42 GB, V size: 1.42 GB\n";

    static Stream<Arguments> logs() throws IOException {
        return LOG.matcher(Files.readString(LOGS))
                .results()
                .map(log -> Arguments.of(Named.of(log.group(1), log.group(2)), log.group(3)));
    }

    @ParameterizedTest
    @MethodSource("logs")
    void readsFactsOfPublicLogs(String log, String expected) throws IOException {
        ObjectNode answer = (ObjectNode) JsonMapper.shared().readTree(WireFormat.write(read(log)));
        answer.remove("lines");

        assertThat(answer.toString()).isEqualTo(expected);
    }

    @Test
    void namesLinesOfValues() throws IOException {
        EngineLogResponse answer = read("\n\u001B[1;36m(EngineCore pid=7)\u001B[0;0m INFO " + VLLM
                + "GPU KV cache size: 9 tokens, Maximum concurrency for 3 tokens per request: 3.00x");

        assertThat(WireFormat.write(answer.lines())).isEqualTo("""
                        [{"line":2,"fields":["printed.kv_pool_gib"]},{"line":3,"fields":["engine.max_model_len",\
                        "printed.kv_tokens","printed.concurrency","printed.concurrency_tokens"]}]""");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vllm serve org/m --enforce-eager -tp 2 --gpu_memory_utilization=0.5 --max-num-seqs 7 \\\\n  --kv-cache-dtype fp8|"
                        + "\"max_num_seqs\":7,\"kv_cache_dtype\":\"fp8\",\"cuda_graphs\":false",
                "Using fp8 data type to store kv cache.|\"kv_cache_dtype\":\"fp8\"",
                "non-default args: {'kv_cache_dtype': 'nvfp4'}|cache type nvfp4 is not supported in requests",
                "config: x with config: compilation_config={'cudagraph_mode': <CUDAGraphMode.NONE: 0>}|\"backend\":\"vllm\"",
                "Model loading took 1.2.3 GiB|Line 1 has no number beside \\\"Model loading took\\\", and was passed over.",
                "Model loading took 512.00 MB|\"weights_gib\":0.5",
                "Model loading took|\"printed\":{\"kv_pool_gib\":58.11}",
                "non-default args: {'max_num_seqs': 1e400, 'tensor_parallel_size': 'x', 'gpu_memory_utilization': -1}|\"parallel\":{}",
                "non-default args: {'pipeline_parallel_size': 2}|has 2 pipeline stages",
                "Initial free memory 77.91 GiB, reserved 5.32 GiB memory for KV Cache as specified by kv_cache_memory_bytes config|"
                        + "The command states the bytes of the cache"
            })
    void readsOtherForms(String line, String expected) throws IOException {
        assertThat(WireFormat.write(read(line.replace("\\n", "\n") + "\n" + VLLM)))
                .contains(expected);
    }

    @Test
    void takesSmallestCacheOfRanks() throws IOException {
        EngineLogResponse answer =
                read("(Worker_TP0 pid=1) " + VLLM + "(Worker_TP1 pid=2) " + VLLM.replace("58.11", "57.9"));

        assertThat(answer.engine().kvPoolGib()).isEqualTo(57.9);
        assertThat(answer.warnings())
                .contains("Ranks differ: printed.kv_pool_gib is 57.9 to 58.11; the smallest counts.");
    }

    @Test
    void keepsCommandOfRestartedServer() throws IOException {
        String start = "vLLM API server version 0.11.0\n" + VLLM;

        EngineLogResponse answer = read("+ vllm serve org/m --max-num-seqs 7\n" + start + start + start);

        assertThat(answer.engine().maxNumSeqs()).isEqualTo(7);
        assertThat(answer.warnings()).contains("The log has 3 starts; the last one counts.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "2026-11-28 nginx: ready\nhello\n", "vllm serve org/m --max-num-seqs 7"})
    void rejectsLogsOfOtherPrograms(String log) {
        assertThatThrownBy(() -> read(log))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(log.isEmpty() ? "must not be empty" : "must have lines of vLLM or SGLang");
    }

    @Test
    void rejectsTwoEnginesAndBinaries() {
        assertThatThrownBy(() -> read("x\n" + VLLM + SGLANG))
                .hasMessageContaining("got vLLM in line 2 and SGLang in line 3");
        assertThatThrownBy(() -> read("x\nA\0B")).hasMessageContaining("line 2 must not hold a zero byte");
    }

    /// 64 MB without an end of line, and brackets that never close.
    @Test
    void cutsHostileLines() throws IOException {
        byte[] brackets = "vllm serve (pid= non-default args: {'a': ({[\"'=\\"
                .repeat(1 << 15)
                .getBytes(UTF_8);
        var hostile = new SequenceInputStream(Collections.enumeration(
                Stream.concat(Stream.of(VLLM.getBytes(UTF_8)), Collections.nCopies(64, brackets).stream())
                        .map(ByteArrayInputStream::new)
                        .toList()));

        EngineLogResponse answer = org.junit.jupiter.api.Assertions.assertTimeout(
                Duration.ofSeconds(20), () -> EngineLogReader.read(hostile));

        assertThat(answer.warnings()).contains("1 lines of more than 65536 bytes were cut.");
    }

    private static EngineLogResponse read(String log) throws IOException {
        return EngineLogReader.read(new ByteArrayInputStream(log.getBytes(UTF_8)));
    }
}
