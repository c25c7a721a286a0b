package io.throughputoptimizer.api.benchmark;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
