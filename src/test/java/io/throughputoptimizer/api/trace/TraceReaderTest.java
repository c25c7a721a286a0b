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
            1,2;1,2,3                           | line 2 has 3 values: 2 are needed
            1,2;;-3,4                           | line 3 has input_tokens "-3": a whole number from 1 to 999999 is needed
            1,2;0,4                             | line 2 has input_tokens "0": a whole number from 1 to 999999 is needed
            1,2;3,4.5                           | line 2 has output_tokens "4.5": a whole number from 0 to 999999 is needed
            1,2;3,                              | line 2 has output_tokens "": a whole number from 0 to 999999 is needed
            1,2;3,1000000                       | line 2 has output_tokens "1000000": a whole number from 0 to 999999 is needed
            prompt,output_tokens;1,2            | line 1 is a header with 0 columns input_tokens: exactly one is needed, or two numbers a line without a header
            input_tokens,input_tokens,x;1,2     | line 1 is a header with 2 columns input_tokens: exactly one is needed, or two numbers a line without a header
            at,size;x,y                         | line 1 has no lengths under a known name, only at, size: `input_column` and `output_column` are needed, or two numbers a line without a header
            prompt_tokens,completion_tokens,input_length,output_length; | line 1 has lengths twice, input_length and prompt_tokens: `input_column` and `output_column` are needed
            input_length,note;1,2               | line 1 is a header with 0 columns output_length: exactly one is needed, or two numbers a line without a header
            1,2;"3,4                            | line 2 has a quote that does not end on it
            ;;                                  | has no request: a line with input_tokens and output_tokens is needed
            input_tokens,output_tokens;         | has no request: a line with input_tokens and output_tokens is needed
            """, quoteCharacter = '`')
    void aBrokenLineOfValuesIsNamed(String text, String message) {
        assertThatRefused(text, Syntax.CSV, message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"input_tokens": 1}                                 | line 1 lacks output_tokens
            {"input": 1, "output": 2}                           | line 1 has no lengths under a known name, only input, output: `input_column` and `output_column` are needed
            {"usage": {"prompt_tokens": 1}}                     | line 1 lacks usage.completion_tokens
            {"input_length": 1, "output_length": 2};{"input_tokens": 1, "output_tokens": 2} | line 2 lacks input_length
            {"input_lens": [1, 2], "output_lens": [1]}          | line 1 has 2 input_lens and 1 output_lens: as many are needed
            {"input_lens": [1, 0], "output_lens": [1, 1]}       | line 1 has input_lens "0": a whole number from 1 to 999999 is needed
            {"input_lens": [], "output_lens": []}               | has no request: a line with input_lens and output_lens is needed
            {"input_lens": [5], "output_lens": [0], "errors": ["gone"]} | has no request that was answered
            {"input_lens": 1, "output_lens": 2}                 | line 1 has no list of input_lens
            {"output_tokens": 1}                                | line 1 lacks input_tokens
            [1, 2]                                              | line 1 is no JSON object
            {"input_tokens": 1, "output_tokens": 2} 3           | line 1 has something after its object
            {"input_tokens": 1, "output_tokens": 2}};{          | line 1 is no JSON object
            {"input_tokens": 1, "output_tokens": 2};{"input     | line 2 is no JSON object
            {"input_tokens": 1, "input_tokens": 1, "output_tokens": 2} | line 1 is no JSON object
            {"input_tokens": "1", "output_tokens": 2}           | line 1 has input_tokens "'1'": a whole number from 1 to 999999 is needed
            {"input_tokens": 1.0, "output_tokens": 2}           | line 1 has input_tokens "1.0": a whole number from 1 to 999999 is needed
            {"input_tokens": 1, "output_tokens": null}          | line 1 has output_tokens "null": a whole number from 0 to 999999 is needed
            {"input_tokens": 1, "output_tokens": [2]}           | line 1 has output_tokens "[": a whole number from 0 to 999999 is needed
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
                .hasMessageContaining("line 1 is longer than 1048576 bytes");
    }

    private static final String BEYOND =
            " nests deeper than 100 levels, or has a number of more than 1000 digits or a name of more than 1000"
                    + " characters";

    static Stream<Arguments> linesBeyondABound() {
        String lengths = "\"input_tokens\": 1, \"output_tokens\": 2";
        return Stream.of(
                Arguments.of(Syntax.CSV, "1,2\n" + "a,".repeat(400_000), "line 2 has more than 1000 values"),
                Arguments.of(Syntax.CSV, "a,".repeat(400_000) + "b\n", "line 1 has more than 1000 values"),
                Arguments.of(Syntax.CSV, "1,2\n\"" + "x".repeat(2 << 20), "line 2 is longer than 1048576 bytes"),
                Arguments.of(
                        Syntax.CSV,
                        "x".repeat(1_001) + ",input_tokens,output_tokens\n",
                        "line 1 has a column whose name is longer than 1000 characters"),
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
                        "line 1 has more than 1000 names"));
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
