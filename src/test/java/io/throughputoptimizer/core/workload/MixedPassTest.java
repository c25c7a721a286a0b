package io.throughputoptimizer.core.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.workload.MixedPass.Piece;
import io.throughputoptimizer.fixture.Distributions;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class MixedPassTest {

    /// One piece of one prompt, and the pass that computes it.
    private record Chunk(int pass, int queryLength, int sequenceLength, boolean last) {}

    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(OptimizerVectors.common("chunk_plan_variable"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void promptsAreCutAsInTheReference(JsonNode vector) {
        RequestMix mix = RequestMix.of(
                Distributions.named(vector.required("distribution").stringValue()), 0);

        List<MixedPass> passes = cut(
                mix.allocate(vector.required("concurrency").longValue()),
                vector.required("max_batched_tokens").intValue());

        assertThat(listed(passes))
                .isEqualTo(OptimizerVectors.stream(vector.required("chunks"))
                        .map(chunk -> new Chunk(
                                chunk.required("index").intValue(),
                                chunk.required("query_len").intValue(),
                                chunk.required("seq_len").intValue(),
                                chunk.required("is_last_chunk").booleanValue()))
                        .toList());
    }

    static LongStream seeds() {
        return Nightly.seeds(17);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyPassButTheLastIsFullAndEveryPromptIsCompletedOnce(long seed) {
        int budget = 1 + (int) (seed * 37 % 101);
        List<LengthSamples> samples =
                RequestMix.of(Distributions.named("C_weights"), 0.7).allocate(seed * 13 + 1);

        List<MixedPass> passes = cut(samples, budget);

        assertThat(passes.subList(0, passes.size() - 1))
                .allSatisfy(pass -> assertThat(tokens(pass)).isEqualTo(budget));
        assertThat(tokens(passes.getLast())).isBetween(1L, (long) budget);
        assertThat(passes.stream().mapToLong(MixedPassTest::tokens).sum())
                .isEqualTo(samples.stream()
                        .mapToLong(part -> part.samples() * part.length().queryLength())
                        .sum());
        assertThat(passes.stream().mapToLong(MixedPass::completed).sum()).isEqualTo(seed * 13 + 1);
    }

    /// Ten thousand million prompts, cut into passes of a token: no list could hold them.
    @Test
    void passesAreMadeWhenTheyAreAskedFor() {
        List<LengthSamples> samples =
                List.of(new LengthSamples(new RepresentativeLength(1000, 1000, 1), null, 10_000_000_000L));

        Iterator<MixedPass> passes = MixedPass.cut(samples, 1);

        assertThat(passes.next().pieces()).containsExactly(new Piece(1, 1, 1, false));
        assertThat(passes.next().pieces()).containsExactly(new Piece(1, 1, 2, false));
        assertThat(MixedPass.count(samples, 1)).isEqualTo(10_000_000_000_000L);
    }

    @Test
    void theWholeIsOnePassOfUncutPrompts() {
        List<LengthSamples> samples =
                RequestMix.of(Distributions.named("C_weights"), 0).allocate(10);

        assertThat(MixedPass.whole(samples))
                .isEqualTo(new MixedPass(List.of(
                        new Piece(5, 250, 250, true), new Piece(3, 750, 750, true), new Piece(2, 2000, 2000, true))));
    }

    private static List<MixedPass> cut(List<LengthSamples> samples, int maxBatchedTokens) {
        List<MixedPass> passes = new ArrayList<>();
        MixedPass.cut(samples, maxBatchedTokens).forEachRemaining(passes::add);
        assertThat(passes).hasSize((int) MixedPass.count(samples, maxBatchedTokens));
        return passes;
    }

    private static long tokens(MixedPass pass) {
        return pass.pieces().stream()
                .mapToLong(piece -> piece.count() * piece.queryLength())
                .sum();
    }

    private static List<Chunk> listed(List<MixedPass> passes) {
        List<Chunk> chunks = new ArrayList<>();
        for (int pass = 0; pass < passes.size(); pass++) {
            for (Piece piece : passes.get(pass).pieces()) {
                Chunk chunk = new Chunk(pass, piece.queryLength(), piece.sequenceLength(), piece.last());
                chunks.addAll(Collections.nCopies(Math.toIntExact(piece.count()), chunk));
            }
        }
        return chunks;
    }
}
