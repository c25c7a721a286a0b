package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.DraftTokenAxis;
import io.throughputoptimizer.core.search.space.LayoutAxis;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import io.throughputoptimizer.core.search.space.SearchSpace;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class SearchSpaceTest {

    /// The later state of the reference.
    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(OptimizerVectors.variant("parallel_candidates", "head"), _ -> true);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void candidatesHaveTheLabelsOfTheReferenceInItsOrder(JsonNode vector) {
        List<Integer> draftTokens = OptimizerVectors.integers(vector, "num_mtp_token_sizes");
        ParallelSizes sizes = new ParallelSizes(
                OptimizerVectors.integers(vector, "tp_sizes"),
                OptimizerVectors.integers(vector, "ep_sizes"),
                OptimizerVectors.integers(vector, "moe_dp_sizes"),
                OptimizerVectors.integers(vector, "dcp_sizes"));
        LayoutAxis layouts =
                new LayoutAxis(sizes, vector.required("num_devices").intValue(), true);
        SearchSpace space = new SearchSpace(
                layouts,
                List.of(new DraftTokenAxis(draftTokens == null ? List.of(0) : draftTokens), layouts.contexts()));

        assertThat(labels(space))
                .isEqualTo(OptimizerVectors.stream(vector.required("candidates"))
                        .map(candidate -> candidate.required("label_moe").stringValue())
                        .toList());
    }

    @Test
    void everyValueOfAnAxisGoesWithEveryValueOfTheOthers() {
        SearchSpace space = new SearchSpace(
                new LayoutAxis(new ParallelSizes(List.of(1, 2), null, null), 2, false),
                List.of(
                        new DraftTokenAxis(List.of(1, 0, 1)),
                        new TokenBudgetAxis(List.of(4096)),
                        new QuantizationAxis(
                                List.of(LinearQuantization.FP8),
                                List.of(AttentionQuantization.INT8, AttentionQuantization.DISABLED),
                                32)));

        assertThat(labels(space))
                .containsExactly(
                        "TP=1 | PP=1 | DP=2 | MTP=1 | KV=INT8",
                        "TP=1 | PP=1 | DP=2 | MTP=1 | KV=DISABLED",
                        "TP=1 | PP=1 | DP=2 | KV=INT8",
                        "TP=1 | PP=1 | DP=2 | KV=DISABLED",
                        "TP=2 | PP=1 | DP=1 | MTP=1 | KV=INT8",
                        "TP=2 | PP=1 | DP=1 | MTP=1 | KV=DISABLED",
                        "TP=2 | PP=1 | DP=1 | KV=INT8",
                        "TP=2 | PP=1 | DP=1 | KV=DISABLED");
        assertThat(space.candidates(Candidates::of)).allSatisfy(candidate -> {
            assertThat(candidate.deployment().quantization().linear()).isEqualTo(LinearQuantization.FP8);
            assertThat(candidate.terms().maxBatchedTokens()).isEqualTo(4096);
        });
    }

    private static List<String> labels(SearchSpace space) {
        List<String> labels =
                space.candidates(Candidates::of).map(Candidate::label).toList();
        assertThat(space.count()).isEqualTo(labels.size());
        return labels;
    }
}
