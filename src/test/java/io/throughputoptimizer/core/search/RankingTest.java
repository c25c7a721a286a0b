package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.ResultRow.Breakdowns;
import io.throughputoptimizer.core.search.ResultRow.PrefillPlan;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class RankingTest {

    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(OptimizerVectors.common("best_per_parallel"));
    }

    /// Which of several rows of equal throughput wins is open in the reference: only the throughputs are compared.
    @ParameterizedTest
    @MethodSource("vectors")
    void bestRowsEqualTheReferenceInLayoutThroughputAndOrder(JsonNode vector) {
        List<ResultRow> best = Ranking.bestPerCandidate(
                OptimizerVectors.stream(vector.required("rows"))
                        .map(RankingTest::row)
                        .toList(),
                new Limits(
                        OptimizerVectors.number(vector, "ttft_limits"), OptimizerVectors.number(vector, "tpot_limits")),
                Objective.usual());

        List<ResultRow> expected = OptimizerVectors.stream(vector.required("result"))
                .map(RankingTest::row)
                .toList();
        assertThat(best.stream().map(ResultRow::layout))
                .isEqualTo(expected.stream().map(ResultRow::layout).toList());
        assertThat(best.stream().map(row -> row.figures().tokensPerSecond()))
                .isEqualTo(expected.stream()
                        .map(row -> row.figures().tokensPerSecond())
                        .toList());
        assertThat(best.stream().map(ResultRow::rank))
                .isEqualTo(IntStream.rangeClosed(1, expected.size()).boxed().toList());
    }

    @Test
    void ofEqualRowsTheSmallerBatchWinsWithinALayout() {
        List<ResultRow> rows = List.of(row(1, 9, 120), row(1, 6, 120), row(1, 7, 120));

        assertThat(Ranking.bestPerCandidate(rows, Limits.NONE, Objective.usual()))
                .containsExactly(row(1, 6, 120).withRank(1));
    }

    @Test
    void ofEqualRowsTheEarlierCandidateRanksFirst() {
        List<ResultRow> rows = List.of(row(2, 9, 120), row(1, 6, 120), row(4, 1, 130));

        assertThat(Ranking.bestPerCandidate(rows, Limits.NONE, Objective.usual()))
                .containsExactly(
                        row(4, 1, 130).withRank(1),
                        row(2, 9, 120).withRank(2),
                        row(1, 6, 120).withRank(3));
    }

    @Test
    void anAbsentLatencyPassesOnlyWithoutALimit() {
        ResultRow row = row(1, 1, 100);

        assertThat(Ranking.keeps(row, new Limits(5.0, null))).isTrue();
        assertThat(Ranking.keeps(row, new Limits(5.0, 1e9))).isFalse();
    }

    private static ResultRow row(int tp, long batchSize, double tokensPerSecond) {
        return row(tp, batchSize, new Figures(1.0, null, tokensPerSecond, tokensPerSecond, 1, null, null));
    }

    /// The letters of the vectors become tensor parallel sizes.
    private static ResultRow row(JsonNode row) {
        return row(
                row.required("parallel").stringValue().charAt(0) - 'A' + 1,
                row.required("batch_size").longValue(),
                new Figures(
                        OptimizerVectors.number(row, "ttft"),
                        OptimizerVectors.number(row, "tpot"),
                        row.required("token/s").doubleValue(),
                        row.required("token/s").doubleValue(),
                        1,
                        null,
                        null));
    }

    private static ResultRow row(int tp, long batchSize, Figures figures) {
        return new ResultRow(
                null,
                Candidates.of(ParallelLayout.dense(tp, 1)),
                batchSize,
                batchSize,
                figures,
                new PrefillPlan(100, 8192, 1),
                new Breakdowns(BoundShares.ZERO, null),
                new MemoryFootprint(1, 0, 0, 0, 0, 0, 0, false, true),
                List.of(),
                0,
                Set.of());
    }
}
