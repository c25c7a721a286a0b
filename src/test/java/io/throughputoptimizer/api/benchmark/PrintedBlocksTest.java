package io.throughputoptimizer.api.benchmark;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.web.description.Examples;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Printed blocks, and summaries of evalscope and inference-perf.
class PrintedBlocksTest {
    private static final ResultFormats FORMATS = formats();
    private static final String BLOCK = Examples.text("result-block.txt");

    private static ResultFormats formats() {
        try (Stream<Path> files = Files.list(Path.of("src", "main", "resources", "benchmarks"))) {
            List<byte[]> mappings = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                mappings.add(Files.readAllBytes(file));
            }
            return new ResultFormats(mappings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static InputStream resource(String name) {
        return requireNonNull(PrintedBlocksTest.class.getResourceAsStream("/measurements/" + name), name);
    }

    private static FileRow block(String text) throws IOException {
        return FORMATS.text(stream(text)).rows().getFirst();
    }

    private static FileRow json(String text) throws IOException {
        return FORMATS.json(stream(text)).rows().getFirst();
    }

    @Test
    void readsTheRowOfTheJsonOfTheSameRun() throws IOException {
        FileRow json = json("""
                {"completed": 820, "total_input_tokens": 2870000, "total_output_tokens": 1230000, "max_concurrency": 82,
                 "request_rate": "inf", "mean_ttft_ms": 702.0, "mean_tpot_ms": 31.6, "output_throughput": 2403.14,
                 "request_throughput": 1.6}""");

        for (String text : List.of(
                BLOCK,
                "INFO start\r\n```\n" + BLOCK.replace("\n", "\r\n") + "```",
                BLOCK.replaceAll("(?m)^", "> "),
                BLOCK.replaceAll("(?m)^", "    ").replace("Successful requests", "successful  REQUESTS"))) {
            assertThat(block(text)).usingRecursiveComparison().isEqualTo(json);
        }
        assertThat(FORMATS.text(stream(BLOCK + "\nnext\n" + BLOCK)).rows()).hasSize(2);
    }

    /// Blocks and result files of public runs, cut to the figures that count: gemma-4-26B-A4B on one GB10 by
    /// `vllm bench serve` (djangodevreng/dgx-spark-benchmarks, CC BY 4.0) and Qwen3-1.7B by
    /// `sglang.bench_serving` (arunpatala/sglang_development).
    @ParameterizedTest
    @ValueSource(strings = {"pair-vllm", "pair-sglang"})
    void readsTheFiguresOfPublicResultFilesToThePrintedDigits(String pair) throws IOException {
        List<FileRow> printed = FORMATS.text(resource(pair + ".txt")).rows();
        List<FileRow> saved = FORMATS.json(resource(pair + ".jsonl")).rows();

        assertThat(printed).hasSameSizeAs(saved);
        for (int i = 0; i < saved.size(); i++) {
            FileRow block = printed.get(i);
            FileRow json = saved.get(i);
            assertThat(block.ttftMillis()).isCloseTo(json.ttftMillis(), within(0.0051));
            assertThat(block.tpotMillis()).isCloseTo(json.tpotMillis(), within(0.0051));
            assertThat(block.tokensPerSecond()).isCloseTo(json.tokensPerSecond(), within(0.0051));
            assertThat(block.inputTokens()).isEqualTo(json.inputTokens());
            assertThat(block.outputTokens()).isEqualTo(json.outputTokens());
            assertThat(block.requests()).isEqualTo(json.requests());
            assertThat(block.mean()).isEqualTo(json.mean());
            assertThat(block.concurrency()).isCloseTo(json.concurrency(), within(0.001));
        }
    }

    @Test
    void readsAPublicBlockWithoutAMaximum() throws IOException {
        FileRow row = block("""
                ============ Serving Benchmark Result ============
                Successful requests:                     30
                Total input tokens:                      480000
                Total generated tokens:                  6000
                Mean TTFT (ms):                          3345.37
                Mean TPOT (ms):                          20.63
                ==================================================
                """);

        assertThat(row.concurrency()).isNull();
        assertThat(row.inputTokens()).isEqualTo(16_000);
        assertThat(row.outputTokens()).isEqualTo(200);
        assertThat(row.ttftMillis()).isEqualTo(3345.37);
        assertThat(row.tpotMillis()).isEqualTo(20.63);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Max request concurrency", "Max reqeuest concurrency"})
    void readsABlockOfSglang(String label) throws IOException {
        String text = """
                ============ Serving Benchmark Result ============
                Backend:                                 sglang
                Traffic request rate:                    inf
                %s:                 %s
                Successful requests:                     100
                Total input tokens:                      100000
                Total generated tokens:                  20000
                Total generated tokens (retokenized):    19990
                Concurrency:                             15.50
                Mean E2E Latency (ms):                   4000.0
                Mean TTFT (ms):                          300.0
                Mean TPOT (ms):                          18.5
                ==================================================
                """;

        assertThat(block(text.formatted(label, "16")).concurrency()).isEqualTo(16);
        assertThat(block(text.formatted(label, "not set")).concurrency()).isEqualTo(15.5);
    }

    @Test
    void rejectsOtherText() {
        assertThatThrownBy(() -> FORMATS.text(stream("nothing"))).hasMessageContaining("has no block");
        assertThatThrownBy(() -> block(BLOCK.replaceFirst("Successful requests: +820", "Successful requests: xxx")))
                .hasMessageContaining("successful requests");
        assertThatThrownBy(() -> FORMATS.text(stream(BLOCK.repeat(51)))).hasMessageContaining("51");
    }

    @Test
    void readsBothGenerationsOfEvalscope() throws IOException {
        FileRow old = json("""
                {"Number of concurrency": 8, "Succeed requests": 80, "Failed requests": 0,
                 "Average time to first token (s)": 0.21, "Average time per output token (s)": 0.0186,
                 "Average input tokens per request": 1024, "Average output tokens per request": 275,
                 "Average latency (s)": 5.3, "Request throughput (req/s)": 1.5}""");
        FileRow present = json("""
                {"Concurrency": 8, "Success Requests": 80, "Failed Requests": 0, "Avg TTFT (ms)": 210.0,
                 "Avg TPOT (ms)": 18.6, "Avg Input Tokens": 1024, "Avg Output Tokens": 275,
                 "Avg Latency (s)": 5.3, "Req Throughput (req/s)": 1.5}""");

        assertThat(old.concurrency()).isEqualTo(8);
        assertThat(old.ttftMillis()).isCloseTo(210, within(1e-9));
        assertThat(old.tpotMillis()).isCloseTo(18.6, within(1e-9));
        assertThat(present.ttftMillis()).isCloseTo(210, within(1e-9));
        assertThat(present.tpotMillis()).isCloseTo(18.6, within(1e-9));
        assertThat(present.outputTokens()).isEqualTo(275);
    }

    private static final String OLD_TABLE = """
            Benchmarking summary:
            +-----------------------------------+-----------+
            | Key                               | Value     |
            +===================================+===========+
            | Number of concurrency             | 8         |
            +-----------------------------------+-----------+
            | Request rate (req/s)              | -1        |
            | Succeed requests                  | 80        |
            | Failed requests                   | 0         |
            | Request throughput (req/s)        | 1.5       |
            | Average latency (s)               | 5.3       |
            | Average time to first token (s)   | %s        |
            | Average time per output token (s) | %s        |
            | Average input tokens per request  | 1024      |
            | Average output tokens per request | 275       |
            +-----------------------------------+-----------+
            Percentile results:
            | 50%% | 0.3 |
            """;

    private static final String PRESENT_TABLE = """
            2026-08-22 INFO: Benchmarking summary:
            \u250c\u2500\u252c\u2500\u2510
            \u2502 Metric                    \u2502         Value \u2502
            \u2502 \u2500\u2500 General \u2500\u2500             \u2502               \u2502
            \u2502 Concurrency               \u2502             8 \u2502
            \u2502 Request Rate (req/s)      \u2502         -1.00 \u2502
            \u2502 Total / Success / Failed  \u2502   80 / 80 / 0 \u2502
            \u2502 Req Throughput (req/s)    \u2502           1.5 \u2502
            \u2502 Avg Latency (s)           \u2502           5.3 \u2502
            \u2502 TTFT (ms)                 \u2502            %s \u2502
            \u2502 TPOT (ms)                 \u2502            %s \u2502
            \u2502 Avg Input Tokens          \u2502       1024.00 \u2502
            \u2502 Avg Output Tokens         \u2502        275.00 \u2502
            \u2514\u2500\u2534\u2500\u2518
            """;

    /// The label has the unit: times of one generation are seconds, of the other milliseconds, whatever their size.
    @Test
    void neverReadsAGenerationOfEvalscopeInTheUnitOfTheOther() throws IOException {
        Random random = new Random(48);
        for (int i = 0; i < 300; i++) {
            double ttft = Math.pow(10, -4 + 8 * random.nextDouble());
            double tpot = Math.pow(10, -4 + 8 * random.nextDouble());
            FileRow old = block(OLD_TABLE.formatted(ttft, tpot));
            FileRow present = block(PRESENT_TABLE.formatted(ttft, tpot));
            FileRow oldJson = json("""
                    {"Succeed requests": 80, "Number of concurrency": 8, "Average input tokens per request": 1024,
                     "Average output tokens per request": 275, "Average time to first token (s)": %s,
                     "Average time per output token (s)": %s}""".formatted(ttft, tpot));
            FileRow presentJson = json("""
                    {"Success Requests": 80, "Concurrency": 8, "Avg Input Tokens": 1024, "Avg Output Tokens": 275,
                     "Avg TTFT (ms)": %s, "Avg TPOT (ms)": %s}""".formatted(ttft, tpot));

            for (FileRow row : List.of(present, presentJson)) {
                assertThat(row.ttftMillis()).isEqualTo(ttft);
                assertThat(row.tpotMillis()).isEqualTo(tpot);
            }
            for (FileRow row : List.of(old, oldJson)) {
                assertThat(row.ttftMillis()).isEqualTo(1000 * ttft);
                assertThat(row.tpotMillis()).isEqualTo(1000 * tpot);
            }
        }
    }

    @Test
    void readsTablesOfEvalscope() throws IOException {
        for (String table : List.of(OLD_TABLE.formatted(0.21, 0.0186), PRESENT_TABLE.formatted("210.00", "18.60"))) {
            FileRow row = block(table);

            assertThat(row.concurrency()).isEqualTo(8);
            assertThat(row.mean()).isFalse();
            assertThat(row.requests()).isEqualTo(80);
            assertThat(row.inputTokens()).isEqualTo(1024);
            assertThat(row.outputTokens()).isEqualTo(275);
            assertThat(row.ttftMillis()).isCloseTo(210, within(1e-9));
            assertThat(row.tpotMillis()).isCloseTo(18.6, within(1e-9));
        }
        assertThat(block(OLD_TABLE.formatted(0.21, 0.0186).replace("| -1 ", "| 1.5 "))
                        .concurrency())
                .isCloseTo(1.5 * 5.3, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "Spec. Accept Rate": 0.4      | must be 0: predictions have no draft tokens
            "Avg Decoded Tok/Iter": 2.1   | must be at most 1: predictions have no draft tokens
            "Avg Turns/Request": 3        | must be at most 1: turns share prefixes
            "Stream Requests": 0          | must be above 0: without streaming, TTFT is the latency
            """)
    void rejectsRunsOfEvalscopeThatAreNoMeasurements(String field, String reason) throws IOException {
        String file = """
                {"Concurrency": 8, "Success Requests": 80, "Avg TTFT (ms)": 210.0, "Avg Input Tokens": 1024,
                 "Avg Output Tokens": 275, "KV Cache Hit Rate (%)": 12.5}""";

        assertThatThrownBy(() -> json(file.replace("{", "{" + field.strip() + ", ")))
                .hasMessageContaining(reason);
        assertThat(json(file).notes()).singleElement().asString().contains("KV cache hit rate above 5%");
    }

    @Test
    void rejectsFilesOfInferencePerfThatAreNoStage() {
        String prometheus = """
                {"load_summary": {}, "successes": {"count": 1140, "rate": 14.430483, "prompt_len": {"mean": 4936},
                 "output_len": {"mean": 1551}, "request_latency": {"mean": 2.574876},
                 "time_to_first_token": {"mean": 1.260105}, "kv_cache_usage_percentage": {"mean": 0.0}}, "failures": {}}""";
        String summary = """
                {"load_summary": {"count": 7200}, "successes": {"count": 7200,
                 "latency": {"time_to_first_token": {"mean": 0.03}}}, "failures": {"count": 0}}""";

        assertThatThrownBy(() -> json(prometheus)).hasMessageContaining("Send stage_N_lifecycle_metrics.json");
        assertThatThrownBy(() -> json(summary)).hasMessageContaining("Send the stage files, one after the other");
    }

    @ParameterizedTest
    @CsvSource({"100, 0", "101, 1"})
    void warnsOfCachedPrompts(int cached, int warnings) throws IOException {
        FileRow row = json("""
                {"load_summary": {"count": 10, "achieved_rate": 1, "concurrency": 4},
                 "successes": {"count": 10, "latency": {"time_to_first_token": {"mean": 0.03}},
                   "prompt_tokens": {"total": 2000, "cached": %d, "mean": 200}, "output_tokens": {"mean": 63}},
                 "failures": {"count": 0}}""".formatted(cached));

        assertThat(row.notes().stream().filter(note -> note.contains("more than 5% of the prompt tokens were cached")))
                .hasSize(warnings);
    }

    @Test
    void readsAStageOfInferencePerf() throws IOException {
        FileRow row = json("""
                {"load_summary": {"count": 2278, "achieved_rate": 37.985},
                 "successes": {"count": 2278, "latency": {"request_latency": {"mean": 0.56434},
                   "time_to_first_token": {"mean": 0.03129}, "time_per_output_token": {"mean": 0.00412}},
                   "prompt_len": {"mean": 201}, "output_len": {"mean": 63}},
                 "failures": {"count": 0}}""");

        assertThat(row.concurrency()).isCloseTo(21.4, within(0.05));
        assertThat(row.inputTokens()).isEqualTo(201);
        assertThat(row.ttftMillis()).isCloseTo(31.29, within(1e-9));
        assertThat(row.tpotMillis()).isCloseTo(4.12, within(1e-9));
    }
}
