package io.throughputoptimizer.api.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.api.benchmark.ResultFormats.ResultFile;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files in the shape that their tools publish, and files in none.
class ResultFileTest {
    private static final ResultFormats FORMATS = formats();

    private enum Syntax {
        JSON,
        YAML,
        CSV
    }

    private static final String VLLM = """
            {"completed": 820, "total_input_tokens": 2870000, "total_output_tokens": 1230000, "max_concurrency": 82,
             "request_rate": "inf", "mean_ttft_ms": 702.0, "mean_tpot_ms": 31.6}""";

    private static InputStream resource(String name) {
        return java.util.Objects.requireNonNull(
                ResultFileTest.class.getResourceAsStream("/measurements/" + name), name);
    }

    private static Syntax syntax(String name) {
        if (name.endsWith(".csv")) {
            return Syntax.CSV;
        }
        return name.endsWith(".yaml") ? Syntax.YAML : Syntax.JSON;
    }

    private static ResultFile read(String text, Syntax syntax) {
        try {
            return read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), syntax);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ResultFile read(InputStream stream, Syntax syntax) throws IOException {
        return switch (syntax) {
            case JSON -> FORMATS.json(stream);
            case YAML -> FORMATS.yaml(stream);
            case CSV -> FORMATS.csv(stream);
        };
    }

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

    /// The files are of one server at 8, 40 and 82 requests: TPOT 14.1, 21.9, 31.6 ms and TTFT 271, 402, 702 ms.
    @ParameterizedTest
    @CsvSource({
        "vllm.json,            vllm bench serve,       1, 82, 31.6, 702",
        "vllm-appended.jsonl,  vllm bench serve,       3, 82, 31.6, 702",
        "sglang.jsonl,         sglang bench_serving,   3, 82, 31.6, 702",
        "guidellm.json,        guidellm,               3, 82, 31.6, 702",
        "guidellm.csv,         guidellm,               3, 82, 31.6, 702",
        "llm-d-0.2.json,       llm-d benchmark report, 1, 164, 31.6, 702",
        "llm-d-0.2.yaml,       llm-d benchmark report, 1, 164, 31.6, 702",
        "aiperf.json,          aiperf,                 1, 82, 31.6, 702",
        "aiperf-loadgen.json,  aiperf,                 1, 40, 21.9, 402",
        "genai-perf.json,      aiperf,                 1, 8, 14.1, 271"
    })
    void aFileSaysWhatItsToolMeasured(String name, String tool, int rows, double concurrency, double tpot, double ttft)
            throws IOException {
        ResultFile file = read(resource(name), syntax(name));

        assertThat(file.tool()).isEqualTo(tool);
        assertThat(file.rows()).hasSize(rows);
        FileRow last = file.rows().getLast();
        assertThat(last.concurrency()).isEqualTo(concurrency);
        assertThat(last.mean()).isFalse();
        assertThat(last.tpotMillis()).isEqualTo(tpot, within(1e-9));
        assertThat(last.ttftMillis()).isEqualTo(ttft, within(1e-9));
        assertThat(last.inputTokens()).isEqualTo(3500);
        assertThat(last.outputTokens()).isEqualTo(1500);
        assertThat(last.tokensPerSecond()).isPositive();
    }

    /// Little's law finds the 82 requests again that the files were made of, within the digits that they have.
    @ParameterizedTest
    @CsvSource({
        "aiperf.csv, 82, 0.3",
        "genai-perf.csv, 82, 0.3",
        "llm-d-0.1.yaml, 82, 0.01",
        "vllm-rate.json, 71.14, 0.01"
    })
    void whereNothingSaysTheConcurrencyItFollows(String name, double concurrency, double near) throws IOException {
        FileRow row = read(resource(name), syntax(name)).rows().getFirst();

        assertThat(row.mean()).isTrue();
        assertThat(row.concurrency()).isEqualTo(concurrency, within(near));
        assertThat(row.notes()).singleElement().asString().contains("Little's law");
        assertThat(row.tpotMillis()).isEqualTo(31.6);
    }

    @Test
    void whatGuideLlmCountedIsTakenForLoadsAtARate() throws IOException {
        FileRow row = read(resource("guidellm-rate.json"), Syntax.JSON).rows().getFirst();

        assertThat(row.mean()).isTrue();
        assertThat(row.concurrency()).isEqualTo(39.4, within(1e-9));
        assertThat(row.notes()).containsExactly("39.40 requests outstanding in the mean, as guidellm counted");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "702.0 | NaN | /mean_ttft_ms | must be a number above 0, got \"NaN\"",
                "702.0 | Infinity | /mean_ttft_ms | must be a number above 0, got \"Infinity\"",
                "702.0 | -1 | /mean_ttft_ms | must be a number above 0, got -1.0",
                "702.0 | \"702\" | /mean_ttft_ms | must be a number above 0, got \"702\"",
                "702.0 | [[1]] | /mean_ttft_ms | must be a number above 0, got []",
                "702.0 | {\"a\": {\"b\": 1}} | /mean_ttft_ms | must be a number above 0, got {}",
                "820 | 0 | /completed | must be a number above 0, got 0.0",
                "\"total_input_tokens\": 2870000, | '' | /total_input_tokens | is required and must be a number above 0",
                "82, | 0, | /max_concurrency | must be a number above 0, got 0.0",
                "\"inf\" | -2 | /request_rate | must be a number above 0, got -2"
            })
    void aFigureThatIsNoneIsRefusedByName(String good, String bad, String pointer, String message) {
        String file = VLLM.replace(good, bad);

        if (pointer.equals("/request_rate")) {
            assertThatThrownBy(() -> read(file, Syntax.JSON)).isInstanceOf(InvalidRequestException.class);
        } else {
            assertThatThrownBy(() -> read(file, Syntax.JSON))
                    .isInstanceOfSatisfying(InvalidRequestException.class, refusal -> {
                        assertThat(refusal.violations().getFirst().pointer()).isEqualTo(pointer);
                        assertThat(refusal.violations().getFirst().message()).isEqualTo(message);
                    });
        }
    }

    @Test
    void aRunAmongOthersIsRefusedWithItsLine() {
        String line = VLLM.replace("\n", " ");

        assertThatThrownBy(() -> read(line + "\n" + line.replace("31.6", "-31.6") + "\n", Syntax.JSON))
                .hasMessageContaining("/mean_tpot_ms")
                .hasMessageContaining("of line 2 must be a number above 0, got -31.6");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | JSON | got an empty file",
                "[1, 2] | JSON | line 1 must begin a JSON object",
                "{\"a\": | JSON | line 1 must be valid JSON",
                "{\"completed\": 1, \"completed\": 2} | JSON | line 1 must not have the field completed twice",
                "{\"completed\": 3} | JSON | must be a result of aiperf, evalscope, guidellm, inference-perf, llm-d",
                "a: &x 1 | YAML | must be a result of",
                "a: *x | YAML | ",
                "a,b | CSV | must have the header of a CSV file of aiperf, evalscope, ",
                "Metric,avg\\nTime to First Token (min),1.2 | CSV | time_to_first_token, unit must be a unit of time (ms, s, us or ns), got min",
                "Metric,avg\\nTime to First Token (ms),nan | CSV | time_to_first_token, avg must be a number above 0, got \"nan\"",
                "Metric,avg\\nTime to First Token (ms),-3 | CSV | time_to_first_token, avg must be a number above 0, got \"-3\"",
                "Run Info,x | CSV | line 1 must not be the last: no benchmark follows the headers"
            })
    void whatIsNoFileOfAToolIsRefused(String file, String syntax, String reason) {
        assertThatThrownBy(() -> read(file.replace("\\n", "\n"), Syntax.valueOf(syntax)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(reason == null ? "" : reason);
    }

    @Test
    void mixedToolsAndDevicesAreRefused() throws IOException {
        String lines = VLLM.replace("\n", " ") + "\n";
        String export = new String(resource("aiperf.json").readAllBytes(), StandardCharsets.UTF_8);
        String report = new String(resource("llm-d-0.2.json").readAllBytes(), StandardCharsets.UTF_8);

        assertThatThrownBy(() -> read(lines + export, Syntax.JSON))
                .hasMessageContaining("must be of one tool, got results of vllm bench serve and aiperf");
        assertThatThrownBy(() -> read(export.replaceFirst("NVIDIA H100", "NVIDIA A100"), Syntax.JSON))
                .hasMessageContaining("must be one device for all rows, got NVIDIA A100 and NVIDIA H100");
        assertThatThrownBy(() -> read(report.replace("\"replica\"", "\"decode\""), Syntax.JSON))
                .hasMessageContaining("instances that decode alone");
        for (String drafting : List.of(
                "\"spec_decode_acceptance_length\": 2.1",
                "\"total_output_tokens_retokenized\": 9, \"accept_length\": 2.1")) {
            assertThatThrownBy(
                            () -> read(VLLM.replace("{\"completed\"", "{" + drafting + ", \"completed\""), Syntax.JSON))
                    .hasMessageContaining("accept")
                    .hasMessageContaining("no draft tokens");
        }
    }

    @Test
    void readsANewFormatByItsMapping() throws IOException {
        ResultFormats formats = new ResultFormats(List.of("""
                tool: evalscope perf
                detect: [["Succeed requests", "Number of concurrency"]]
                required: [requests]
                fields:
                  requests: [Succeed requests]
                  failed: [Failed requests]
                  concurrency: [Number of concurrency]
                  input_tokens: [Average input tokens per request]
                  output_tokens: [Average output tokens per request]
                  ttft_ms: [{path: Average time to first token (s), unit: s}]
                  tpot_ms: [{path: Average time per output token (s), unit: s}]
                  tokens_per_s: [Output token throughput (tok~1s)]
                """.getBytes(StandardCharsets.UTF_8)));
        String file = """
                {"Number of concurrency": 82, "Succeed requests": 820, "Failed requests": 0,
                 "Output token throughput (tok/s)": 2558.7, "Average time to first token (s)": 0.702,
                 "Average time per output token (s)": 0.0316, "Average input tokens per request": 3500,
                 "Average output tokens per request": 1500}""";

        FileRow row = formats.json(new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)))
                .rows()
                .getFirst();

        assertThat(row.concurrency()).isEqualTo(82);
        assertThat(row.ttftMillis()).isEqualTo(702, within(1e-9));
        assertThat(row.tpotMillis()).isEqualTo(31.6, within(1e-9));
        assertThat(row.tokensPerSecond()).isEqualTo(2558.7);
    }

    /// What tools write of each request may be millions of values; it passes by.
    @Test
    void longListsPassBy() throws IOException {
        String head = VLLM.substring(0, VLLM.length() - 1) + ", \"ttfts\": [0.1";
        List<InputStream> parts = Stream.of(
                        Stream.of(head),
                        IntStream.range(0, 2_000).mapToObj(_ -> ",0.123456789".repeat(1_000)),
                        Stream.of("], \"generated_texts\": [\"" + "x".repeat(90_000) + "\"]}"))
                .flatMap(part -> part)
                .<InputStream>map(text -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                .toList();

        ResultFile file = read(new SequenceInputStream(Collections.enumeration(parts)), Syntax.JSON);

        assertThat(file.rows().getFirst().tpotMillis()).isEqualTo(31.6);
    }

    @Test
    void whatWouldHaveToBeKeptIsBounded() {
        String wide = "{\"a\": {"
                + IntStream.range(0, 1_001)
                        .mapToObj(i -> "\"n" + i + "\": 1")
                        .collect(java.util.stream.Collectors.joining(","))
                + "}}";
        String deep = "{\"a\": ".repeat(101) + "1" + "}".repeat(101);
        String many = "{\"completed\": 1, \"mean_ttft_ms\": 1}\n".repeat(100);
        String line = "Metric,avg\n" + "x".repeat(2 << 20);

        assertThatThrownBy(() -> read(wide, Syntax.JSON)).hasMessageContaining("must be a result of");
        assertThatThrownBy(() -> read(deep, Syntax.JSON)).hasMessageContaining("must not exceed 100 levels");
        assertThatThrownBy(() -> read(many, Syntax.JSON)).hasMessageContaining("must not begin another document");
        assertThatThrownBy(() -> read(line, Syntax.CSV)).hasMessageContaining("line 2 must be valid CSV of at most");
        assertThatThrownBy(() -> read("a: " + "x".repeat(1 << 20), Syntax.YAML))
                .hasMessageContaining("must be at most");
    }
}
