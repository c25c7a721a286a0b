package io.throughputoptimizer.core.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.throughputoptimizer.core.workload.PrefillChunks.Chunk;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class PrefillChunksTest {

    static Stream<Arguments> plans() {
        return OptimizerVectors.arguments(OptimizerVectors.common("chunk_plan_fixed"), vector -> !vector.has("error"));
    }

    @ParameterizedTest
    @MethodSource("plans")
    void promptIsCutAtTheTokenBudget(JsonNode vector) {
        int effective = new Lengths.Fixed(vector.required("input_length").intValue())
                .effectiveLength(vector.required("prefix_cache_hit_rate").doubleValue());
        PrefillChunks chunks = new PrefillChunks(
                effective, vector.required("max_batched_tokens").intValue());

        List<Chunk> expected = OptimizerVectors.stream(vector.required("chunks"))
                .map(chunk -> new Chunk(
                        chunk.required("index").intValue(),
                        chunk.required("query_len").intValue(),
                        chunk.required("seq_len").intValue()))
                .toList();
        assertThat(IntStream.range(0, chunks.count()).mapToObj(chunks::chunk)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void aBudgetWithoutTokensIsRefused(int budget) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PrefillChunks(10, budget))
                .withMessage("max batched tokens is " + budget + ": a positive whole number is needed");
    }

    @Test
    void thereIsNoChunkAfterTheLast() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> new PrefillChunks(10, 4).chunk(3))
                .withMessage("chunk 3 of 3");
    }
}
