package io.throughputoptimizer.api.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.trace.TraceReader.Spelling;
import io.throughputoptimizer.api.trace.TraceReader.Syntax;
import io.throughputoptimizer.api.trace.TraceReader.Trace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceReaderTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "12,3\n40,0\n",
                "12,3\n40,0",
                "\uFEFFinput_tokens,output_tokens\r\n12,3\r\n\r\n40,0\r\n",
                "output_tokens,note,INPUT_TOKENS\n3,\"a, b\",12\n0,,40\n",
                "\n \"input_tokens\" , output_tokens\n\n \"12\" , 3\n40,0\n",
                "at,input_tokens,output_tokens\nüber,12,3\n,40,0"
            })
    void valuesAreReadWithAHeaderAndWithout(String text) throws IOException {
        assertThatBothAreRead(read(text, Syntax.CSV));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"input_tokens\": 12, \"output_tokens\": 3}\n{\"output_tokens\":0,\"input_tokens\":40}",
                "\n{\"at\":[{\"input_tokens\":9}],\"input_tokens\":12,\"output_tokens\":3}\r\n\r\n{\"input_tokens\":40,\"output_tokens\":0}\n"
            })
    void jsonLinesAreReadWhateverElseTheySay(String text) throws IOException {
        assertThatBothAreRead(read(text, Syntax.JSON_LINES));
    }

    private static void assertThatBothAreRead(Trace trace) {
        assertThat(trace.input().requests()).isEqualTo(2);
        assertThat(trace.input().shortest()).isEqualTo(12);
        assertThat(trace.input().longest()).isEqualTo(40);
        assertThat(trace.output().shortest()).isZero();
        assertThat(trace.output().longest()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1,2;1,2,3                           | line 2 must have 2 values, got 3
            1,2;;-3,4                           | line 3 must have a whole number from 1 to 999999 as input_tokens, got "-3"
            1,2;0,4                             | line 2 must have a whole number from 1 to 999999 as input_tokens, got "0"
            1,2;3,4.5                           | line 2 must have a whole number from 0 to 999999 as output_tokens, got "4.5"
            1,2;3,                              | line 2 must have a whole number from 0 to 999999 as output_tokens, got ""
            1,2;3,1000000                       | line 2 must have a whole number from 0 to 999999 as output_tokens, got "1000000"
            prompt,output_tokens;1,2            | line 1 must be a header with exactly one column input_tokens, got 0; or two numbers per line without a header
            input_tokens,input_tokens,x;1,2     | line 1 must be a header with exactly one column input_tokens, got 2; or two numbers per line without a header
            at,size;x,y                         | line 1 must have lengths under a known name, got at, size. Set input_column and output_column; or two numbers per line without a header
            prompt_tokens,completion_tokens,input_length,output_length; | line 1 must not have lengths twice, input_length and prompt_tokens. Set input_column and output_column
            input_length,note;1,2               | line 1 must be a header with exactly one column output_length, got 0; or two numbers per line without a header
            1,2;"3,4                            | line 2 must end each quote that it begins
            ;;                                  | must have at least one request, a line with input_tokens and output_tokens
            input_tokens,output_tokens;         | must have at least one request, a line with input_tokens and output_tokens
            """, quoteCharacter = '`')
    void aBrokenLineOfValuesIsNamed(String text, String message) {
        assertThatRefused(text, Syntax.CSV, message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"input_tokens": 1}                                 | line 1 must have output_tokens
            {"input": 1, "output": 2}                           | line 1 must have lengths under a known name, got input, output. Set input_column and output_column
            {"usage": {"prompt_tokens": 1}}                     | line 1 must have usage.completion_tokens
            {"input_length": 1, "output_length": 2};{"input_tokens": 1, "output_tokens": 2} | line 2 must have input_length
            {"input_lens": [1, 2], "output_lens": [1]}          | line 1 must have equally many input_lens and output_lens, got 2 and 1
            {"input_lens": [1, 0], "output_lens": [1, 1]}       | line 1 must have a whole number from 1 to 999999 as input_lens, got "0"
            {"input_lens": [], "output_lens": []}               | must have at least one request, a line with input_lens and output_lens
            {"input_lens": [5], "output_lens": [0], "errors": ["gone"]} | must have at least one successful request
            {"input_lens": 1, "output_lens": 2}                 | line 1 must have a list of input_lens
            {"output_tokens": 1}                                | line 1 must have input_tokens
            [1, 2]                                              | line 1 must be a JSON object
            {"input_tokens": 1, "output_tokens": 2} 3           | line 1 must end after its object
            {"input_tokens": 1, "output_tokens": 2}};{          | line 1 must be a JSON object
            {"input_tokens": 1, "output_tokens": 2};{"input     | line 2 must be a JSON object
            {"input_tokens": 1, "input_tokens": 1, "output_tokens": 2} | line 1 must be a JSON object
            {"input_tokens": "1", "output_tokens": 2}           | line 1 must have a whole number from 1 to 999999 as input_tokens, got "'1'"
            {"input_tokens": 1.0, "output_tokens": 2}           | line 1 must have a whole number from 1 to 999999 as input_tokens, got "1.0"
            {"input_tokens": 1, "output_tokens": null}          | line 1 must have a whole number from 0 to 999999 as output_tokens, got "null"
            {"input_tokens": 1, "output_tokens": [2]}           | line 1 must have a whole number from 0 to 999999 as output_tokens, got "["
            """)
    void aBrokenLineOfJsonIsNamed(String text, String message) {
        assertThatRefused(text, Syntax.JSON_LINES, message);
    }

    @Test
    void aLineWithoutEndIsGivenUp() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return '1';
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                Arrays.fill(bytes, offset, offset + length, (byte) '1');
                return length;
            }
        };

        assertThatThrownBy(() -> TraceReader.read(endless, Syntax.CSV, Spelling.UNSAID))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("line 1 must be at most 1048576 bytes long");
    }

    private static final String BEYOND =
            " must not exceed 100 levels, 1000 digits of a number or 1000 characters of a name";

    static Stream<Arguments> linesBeyondABound() {
        String lengths = "\"input_tokens\": 1, \"output_tokens\": 2";
        return Stream.of(
                Arguments.of(Syntax.CSV, "1,2\n" + "a,".repeat(400_000), "line 2 must have at most 1000 values"),
                Arguments.of(Syntax.CSV, "a,".repeat(400_000) + "b\n", "line 1 must have at most 1000 values"),
                Arguments.of(Syntax.CSV, "1,2\n\"" + "x".repeat(2 << 20), "line 2 must be at most 1048576 bytes long"),
                Arguments.of(
                        Syntax.CSV,
                        "x".repeat(1_001) + ",input_tokens,output_tokens\n",
                        "line 1 must not have a column name of more than 1000 characters"),
                Arguments.of(
                        Syntax.JSON_LINES,
                        "{" + lengths + "}\n{" + lengths + ", \"a\": " + "[".repeat(101) + "]".repeat(101) + "}",
                        "line 2" + BEYOND),
                Arguments.of(
                        Syntax.JSON_LINES, "{" + lengths + ", \"a\": 1" + "0".repeat(1_000) + "}", "line 1" + BEYOND),
                Arguments.of(
                        Syntax.JSON_LINES, "{" + lengths + ", \"" + "a".repeat(1_001) + "\": 1}", "line 1" + BEYOND),
                Arguments.of(
                        Syntax.JSON_LINES,
                        "{" + lengths + ", \"a\": {"
                                + IntStream.range(0, 1_000)
                                        .mapToObj(i -> "\"" + i + "\": 1")
                                        .collect(Collectors.joining(","))
                                + "}}",
                        "line 1 must have at most 1000 names"));
    }

    @ParameterizedTest
    @MethodSource("linesBeyondABound")
    void aLineBeyondABoundIsRefusedByItsNumber(Syntax syntax, String text, String message) {
        assertThatRefused(text, syntax, message);
    }

    /// A prompt, say: what is passed over is bounded by its line alone.
    @ParameterizedTest
    @CsvSource({"CSV, '\"', '\",1,2'", "JSON_LINES, '{\"prompt\": \"', '\", \"input_tokens\": 1, \"output_tokens\": 2}'"
    })
    void aLongTextIsPassedOver(Syntax syntax, String before, String after) throws IOException {
        String line = before + "x".repeat(1_000_000) + after + "\n";
        String header = syntax == Syntax.CSV ? "prompt,input_tokens,output_tokens\n" : "";

        assertThat(read(header + line + line, syntax).input().requests()).isEqualTo(2);
    }

    /// Whatever portions a stream comes in.
    @Test
    void linesAreTheSameInAnyPortions() throws IOException {
        StringBuilder text = new StringBuilder("note,input_tokens,output_tokens\r\n");
        Random random = new Random(17);
        long sum = 0;
        for (int line = 0; line < 20_000; line++) {
            int input = 1 + random.nextInt(50_000);
            sum += input;
            text.append("x".repeat(random.nextInt(30)))
                    .append(',')
                    .append(input)
                    .append(",7\n");
        }
        InputStream portions = new ByteArrayInputStream(text.toString().getBytes(UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(length, 1 + random.nextInt(3000)));
            }
        };

        Trace trace = TraceReader.read(portions, Syntax.CSV, Spelling.UNSAID);

        assertThat(trace.input().requests()).isEqualTo(20_000);
        assertThat(trace.input().moments().mean()).isEqualTo((double) sum / 20_000);
    }

    private static void assertThatRefused(String text, Syntax syntax, String message) {
        assertThatThrownBy(() -> read(text.replace(';', '\n'), syntax))
                .isInstanceOfSatisfying(
                        InvalidRequestException.class,
                        refusal -> assertThat(refusal.violations())
                                .singleElement()
                                .satisfies(violation ->
                                        assertThat(violation.message()).isEqualTo(message)));
    }

    private static Trace read(String text, Syntax syntax) throws IOException {
        return TraceReader.read(new ByteArrayInputStream(text.getBytes(UTF_8)), syntax, Spelling.UNSAID);
    }
}
