package io.throughputoptimizer.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.response.ValidatableResponse;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a prefix cache would find of the prompts of a trace.
class TracePrefixIT extends HttpTest {
    private static final String VALUES = "text/csv";
    private static final String LINES = "application/x-ndjson";
    private static final String TRACE = """
            {"input_length": 40, "output_length": 6, "hash_ids": [7, -8, 9, 10]}
            {"input_length": 35, "output_length": 6, "hash_ids": [7, -8, 11, 12]}
            {"input_length": 25, "output_length": 6, "hash_ids": [7, -8, 9]}
            """;

    /// The second prompt finds two blocks, in a cache of four of which they are the first; the third finds two.
    @Test
    void shareAndCurveAreThoseByHand() {
        post(TRACE, LINES, "?block_tokens=10&cache_tokens=39")
                .statusCode(200)
                .body("prefix_cache.block_tokens", equalTo(10))
                .body("prefix_cache.distinct_blocks", equalTo(5))
                .body("prefix_cache.highest_hit_rate", closeTo(0.4, 1e-15))
                .body("prefix_cache.cache_tokens", equalTo(39))
                .body("prefix_cache.hit_rate", closeTo(0.4, 1e-15))
                .body("prefix_cache.curve.cache_tokens", contains(10, 20, 40, 80))
                .body("prefix_cache.curve[0].hit_rate", closeTo(0.2, 1e-15))
                .body("workload.prefix_cache_hit_rate", closeTo(0.4, 1e-15))
                .body("corrected_workload.prefix_cache_hit_rate", closeTo(0.4, 1e-15));
    }

    @Test
    void aCacheLessThanABlockFindsNothing() {
        post(TRACE, LINES, "?block_tokens=10&cache_tokens=9")
                .statusCode(200)
                .body("prefix_cache.hit_rate", equalTo(0.0))
                .body("workload.prefix_cache_hit_rate", equalTo(0.0));
    }

    @Test
    void textHasTheCurve() {
        api().contentType(LINES)
                .accept("text/plain")
                .body(TRACE.getBytes(UTF_8))
                .post(TraceController.PATH + "?block_tokens=10&cache_tokens=39")
                .then()
                .statusCode(200)
                .body(containsString("Prefix cache in blocks of 10 tokens"))
                .body(containsString("Found of input %"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"input_length": 5, "output_length": 6}
            {"input_length": 5, "output_length": 6, "hash_ids": ["a"]}
            {"input_length": 5, "output_length": 6, "hash_ids": [18446744073709551616]}
            {"input_length": 5, "output_length": 6, "hash_ids": [{"a": [1]}]}
            {"input_length": 5, "output_length": 6, "hash_ids": {"a": 1}}
            {"input_length": 5, "output_length": 6, "hash_ids": []}
            """)
    void withoutBlocksNothingIsSaid(String line) {
        post(line, LINES, "").statusCode(200).body("prefix_cache", nullValue());
    }

    /// Ids of another kind after a thousand that are right.
    @Test
    void oneRequestWithoutBlocksLeavesAllOut() {
        String lines = IntStream.range(0, 1_000)
                .mapToObj(i -> "{\"input_length\": 900, \"output_length\": 6, \"hash_ids\": [" + i % 50 + ", "
                        + (i + 50) + "]}")
                .collect(Collectors.joining("\n"));

        post(lines, LINES, "").statusCode(200).body("prefix_cache.distinct_blocks", equalTo(50));
        post(lines + "\n{\"input_length\": 5, \"output_length\": 6}", LINES, "")
                .statusCode(200)
                .body("prefix_cache", nullValue());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ?cache_tokens=100                 | {"input_length": 5, "output_length": 6}                               | line 1 must have hash_ids, whole numbers that identify the blocks of the prompt
            ?block_tokens=2                   | {"input_length": 5, "output_length": 6, "hash_ids": ["1"]}            | line 1 must have hash_ids, whole numbers that identify the blocks of the prompt
            ?block_tokens=2                   | {"input_length": 5, "output_length": 6, "hash_ids": [1,2,3,4]}        | line 1 must have at most 3 hash_ids for 5 tokens in blocks of 2, got 4
            ?cache_tokens=100                 | {"input_lens": [5], "output_lens": [6]}                               | line 1 must have hash_ids, whole numbers that identify the blocks of the prompt
            """)
    void whatNeedsBlocksNamesTheLineThatLacksThem(String query, String line, String fault) {
        post(line, LINES, query).statusCode(400).body("errors[0].detail", containsString(fault));
    }

    @ParameterizedTest
    @CsvSource({
        "block_tokens, 0",
        "block_tokens, 1000000",
        "block_tokens, many",
        "cache_tokens, 0",
        "cache_tokens, 1e6",
        "cache_tokens, 1000000000001",
        "cache_tokens, 99999999999999999999"
    })
    void sizesAreWholeNumbersInTheirBounds(String parameter, String value) {
        post(TRACE, LINES, "?" + parameter + "=" + value)
                .statusCode(400)
                .body("errors[0].parameter", equalTo(parameter))
                .body("errors[0].detail", containsString("a whole number from 1 to "));
    }

    @Test
    void valuesHaveNoBlocks() {
        post("5,6\n", VALUES, "?cache_tokens=10")
                .statusCode(400)
                .body(
                        "errors[0].detail",
                        containsString("goes with JSON only, where hash_ids names the blocks of prompts"));
    }

    private ValidatableResponse post(String trace, String type, String query) {
        return api().contentType(type)
                .body(trace.getBytes(UTF_8))
                .post(TraceController.PATH + query)
                .then();
    }
}
