package io.throughputoptimizer.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.fixture.EveryNight;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.test.context.TestPropertySource;

/// Traces as their publishers spell them, and compressed.
@TestPropertySource(properties = "optimizer.http.maximum-trace=2MB")
class TraceFormatIT extends HttpTest {
    private static final String VALUES = "text/csv";
    private static final String LINES = "application/x-ndjson";
    private static final String OBJECTS = "application/json";
    private static final String PLAIN = "812,230\n3120,95\n";
    private static final int TWO_MEGABYTES = 2 << 20;

    /// Each has a request of 812 and 230 tokens, and one of 3120 and 95.
    static Stream<Arguments> formats() {
        String benchmark = """
                {"date": "20260105-090000", "backend": "vllm", "completed": 2, "request_throughput": 1.5,
                 "input_lens": [812, 70, 3120], "output_lens": [230, 0, 95], "ttfts": [0.1, 0.0, 0.2],
                 "itls": [[0.01, 0.02], [], [0.01]], "generated_texts": ["a", "", "b"],
                 "errors": ["", "Traceback", ""]}""";
        String usage = """
                {"id": "a", "choices": [], "usage": {"prompt_tokens": 812, "completion_tokens": 230, "total_tokens": 1042}}
                {"id": "b", "choices": [], "usage": {"prompt_tokens": 3120, "completion_tokens": 95, "total_tokens": 3215}}
                """;
        return Stream.of(
                format("mooncake", "input_length", "output_length", LINES, 0, """
                        {"timestamp": 0, "input_length": 812, "output_length": 230, "hash_ids": [0, 1]}
                        {"timestamp": 3052, "input_length": 3120, "output_length": 95, "hash_ids": [0, 2, 3, 4, 5, 6, 7]}
                        """),
                format("azure", "ContextTokens", "GeneratedTokens", VALUES, 0, """
                        TIMESTAMP,ContextTokens,GeneratedTokens
                        2023-11-16 18:17:03.9799600,812,230
                        2023-11-16 18:17:04.0319600,3120,95
                        """),
                format("burstgpt", "Request tokens", "Response tokens", VALUES, 1, """
                        Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type
                        5,ChatGPT,812,230,1042,Conversation log
                        45,GPT-4,3120,95,3215,API log
                        118,ChatGPT,500,0,500,Conversation log
                        """),
                format("openai", "usage.prompt_tokens", "usage.completion_tokens", LINES, 0, usage),
                format("openai", "usage.prompt_tokens", "usage.completion_tokens", OBJECTS, 0, usage),
                format(
                        "openai",
                        "response.body.usage.prompt_tokens",
                        "response.body.usage.completion_tokens",
                        LINES,
                        0,
                        usage.replaceAll("(?m)^(.+)$", "{\"custom_id\": \"x\", \"response\": {\"body\": $1}}")),
                format("openai", "prompt_tokens", "completion_tokens", VALUES, 0, """
                        model;prompt_tokens;completion_tokens
                        "a;b";812;230
                        c;3120;95
                        """),
                format("vllm-bench", "input_lens", "output_lens", OBJECTS, 1, benchmark),
                format("inference-perf", "info.input_tokens", "info.output_tokens", OBJECTS, 1, """
                        [{"start_time": 5.5, "info": {"input_tokens": 812, "output_tokens": 230}, "error": null},
                         {"start_time": 6.5, "info": {"input_tokens": 500, "output_tokens": 0}, "error": {"type": "x"}},
                         {"start_time": 7.5, "info": {"input_tokens": 3120, "output_tokens": 95}, "error": null}]"""),
                format("vllm-bench", "input_lens", "output_lens", LINES, 1, benchmark.replace("\n", " ")),
                format(
                        "own",
                        "input_tokens",
                        "output_tokens",
                        VALUES,
                        0,
                        "output_tokens\tinput_tokens\n230\t812\n95\t3120"),
                format("own", "input_tokens", "output_tokens", VALUES, 0, PLAIN.replace(',', ';')),
                format("own", "input_tokens", "output_tokens", OBJECTS, 0, """
                        [{"input_tokens": 812, "output_tokens": 230},
                         {"input_tokens": 3120, "output_tokens": 95}]"""));
    }

    private static Arguments format(String name, String input, String output, String type, int failed, String trace) {
        return Arguments.of(name, input, output, type, failed, trace);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void aTraceIsKnownByItsNames(String name, String input, String output, String type, int failed, String trace) {
        assertLengths(post(trace.getBytes(UTF_8), type, ""))
                .body("read_as.format", equalTo(name))
                .body("read_as.input_column", equalTo(input))
                .body("read_as.output_column", equalTo(output))
                .body("read_as.failed_requests", equalTo(failed));
    }

    @Test
    void columnsAreNamedByTheCaller() {
        byte[] values = "at|x;größe;got\n1;812;230\n2;3120;95\n".getBytes(UTF_8);
        assertLengths(post(values, VALUES, "?input_column=größe&output_column=got"))
                .body("read_as.format", equalTo("named"));
        assertLengths(post(values, VALUES, "?input_column=Größe&output_column=got&delimiter=semicolon"));
        assertLengths(post(
                "{\"n\": {\"in\": 812}, \"out\": 230}\n{\"n\": {\"in\": 3120}, \"out\": 95}".getBytes(UTF_8),
                LINES,
                "?input_column=n.in&output_column=out"));
        assertLengths(post(
                "input_tokens,output_tokens,real\n9,230,812\n9,95,3120".getBytes(UTF_8),
                VALUES,
                "?input_column=real&output_column=output_tokens"));
    }

    @Test
    void whatWasTakenIsSaidInText() {
        api().contentType(VALUES)
                .accept("text/plain")
                .body("Request tokens,Response tokens\n812,230\n3120,95\n7,0\n".getBytes(UTF_8))
                .post(TraceController.PATH)
                .then()
                .statusCode(200)
                .body(containsString("Read as burstgpt: Request tokens, Response tokens"))
                .body(containsString("Failed and not counted: 1 requests"));
    }

    @Test
    void aColumnThatIsMissingIsNamed() {
        byte[] values = "sent,got\n1,2\n".getBytes(UTF_8);
        post(values, VALUES, "")
                .then()
                .statusCode(400)
                .body(
                        "errors[0].detail",
                        containsString(
                                "line 1 must have lengths under a known name, got sent, got. Set input_column and output_column; or"
                                        + " two numbers per line without a header"));
        post(values, VALUES, "?input_column=sent&output_column=gotten")
                .then()
                .statusCode(400)
                .body(
                        "errors[0].detail",
                        containsString("line 1 must be a header with exactly one column gotten, got 0"));
    }

    @ParameterizedTest
    @CsvSource({
        "?input_column=a, output_column, text/csv",
        "?output_column=a, input_column, text/csv",
        "?input_column=&output_column=b, input_column, text/csv",
        "?input_column=b&output_column=B, output_column, text/csv",
        "?delimiter=pipe, delimiter, text/csv",
        "?delimiter=tab, delimiter, application/x-ndjson"
    })
    void aWrongParameterIsRefused(String query, String parameter, String type) {
        post(PLAIN.getBytes(UTF_8), type, query).then().statusCode(400).body("errors[0].parameter", equalTo(parameter));
    }

    @Test
    void compressedTracesAreTheSame() throws IOException {
        byte[] packed = packed(PLAIN.getBytes(UTF_8));

        assertLengths(post(packed, VALUES, ""));
        assertLengths(encoded(packed));
    }

    @Test
    void whatIsNotCompressedAsItSaysIsRefused() throws IOException {
        byte[] packed = packed(PLAIN.getBytes(UTF_8));

        encoded(PLAIN.getBytes(UTF_8))
                .then()
                .statusCode(400)
                .body("errors[0].detail", containsString("must be compressed by gzip"));
        post(Arrays.copyOf(packed, packed.length / 2), VALUES, "")
                .then()
                .statusCode(400)
                .body("errors[0].detail", containsString("must be a valid gzip file"));
    }

    /// Whatever a body unpacks to, no more of it is read than of one that is plain.
    @Test
    @EveryNight
    void aTraceThatUnpacksToMoreThanMayBeSentIsRefused() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream stream = new GZIPOutputStream(bytes)) {
            byte[] lines = "1000,100\n".repeat(100_000).getBytes(UTF_8);
            for (int part = 0; part < 300; part++) {
                stream.write(lines);
            }
        }
        assertThat(bytes.size()).isLessThan(TWO_MEGABYTES);

        post(bytes.toByteArray(), VALUES, "").then().statusCode(413).body("detail", containsString("2097152"));
        assertLengths(post(packed(PLAIN.getBytes(UTF_8)), VALUES, ""));
    }

    private static byte[] packed(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream stream = new GZIPOutputStream(bytes)) {
            stream.write(plain);
        }
        return bytes.toByteArray();
    }

    private static ValidatableResponse assertLengths(Response answer) {
        return answer.then()
                .statusCode(200)
                .body("requests", equalTo(2))
                .body("input.shortest", equalTo(812))
                .body("input.longest", equalTo(3120))
                .body("output.shortest", equalTo(95))
                .body("output.longest", equalTo(230));
    }

    private Response encoded(byte[] trace) {
        return api().contentType(VALUES)
                .header("Content-Encoding", "gzip")
                .body(trace)
                .post(TraceController.PATH);
    }

    private Response post(byte[] trace, String contentType, String query) {
        return api().contentType(contentType).body(trace).post(TraceController.PATH + query);
    }
}
