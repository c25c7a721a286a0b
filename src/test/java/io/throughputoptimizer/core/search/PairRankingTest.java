package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.search.OptimizationResult.PdRatioResult;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.OutputLengths;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PairRankingTest {
    private static final PairRanking RANKING = new PairRanking(
            new PairObjective(new Objective.TokensPerSecondPerDevice(), 100),
            new TransferAdjustedLimits(null),
            AvailableDevices.ofEach(16));

    private static final PdRatioSearch SEARCH = new PdRatioSearch(
            Limits.NONE, OutputLengths.fixed(100), 16, new Objective.TokensPerSecondPerDevice(), true);

    @Test
    void theWorstOfVeryManyPairsAreCountedOnly() {
        PdRatioResult found = RANKING.rank(SEARCH, new Kinds("A", "A"), sides(90), sides(90), () -> {});

        assertThat(found.rows()).hasSize(PairRanking.MOST_ROWS);
        assertThat(found.omittedRows()).isEqualTo(90 * 90 - PairRanking.MOST_ROWS);
        assertThat(found.rows())
                .extracting(PdRatioRow::rank)
                .startsWith(1, 2, 3)
                .endsWith(PairRanking.MOST_ROWS);
        // Of pairs alike in what they bring a thousandth: those of the fastest of each side are the best.
        assertThat(found.rows())
                .isSortedAccordingTo(PdRatioRow.BETTER_TOGETHER_FIRST)
                .first()
                .satisfies(best -> assertThat(
                                Objects.requireNonNull(best.together()).requestsPerS())
                        .isEqualTo(4 * (1 + 89 / 1000.0)));
    }

    @Test
    void pairsThatTheDevicesDoNotHoldAreLeftOut() {
        Side large = new Side(Candidates.of(ParallelLayout.dense(1, 15)), 1, 15, 1, 1);

        assertThat(RANKING.rank(SEARCH, new Kinds("A", "A"), sides(1), List.of(List.of(large)), () -> {})
                        .rows())
                .isEmpty();
        assertThat(RANKING.rank(SEARCH, new Kinds("A", "B"), sides(1), List.of(List.of(large)), () -> {})
                        .rows())
                .hasSize(1);
    }

    private static List<List<Side>> sides(int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> List.of(
                        new Side(Candidates.of(ParallelLayout.dense(1, 2)), 1, 2, 1, 1 + index / 1000.0, 1, Set.of())))
                .toList();
    }
}
