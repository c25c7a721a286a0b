package io.throughputoptimizer.core.search;

import static io.throughputoptimizer.core.search.ProblemBuilder.problem;
import static io.throughputoptimizer.core.search.Searches.aggregation;
import static io.throughputoptimizer.core.search.Searches.onlyPhase;
import static io.throughputoptimizer.core.search.Searches.optimize;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import io.throughputoptimizer.core.search.RejectedCandidate.Reason;
import io.throughputoptimizer.core.search.ResultRow.PrefillPlan;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.fixture.Distributions;
import io.throughputoptimizer.fixture.LinearEstimator;
import org.junit.jupiter.api.Test;

/// Searches with accounting `steady`.
class SteadySearchTest {
    private static final Accounting STEADY = Accounting.STEADY;

    private final LinearEstimator estimator = Searches.estimator();

    @Test
    void steadyAccountingAggregatesMixedLengths() {
        PhaseResult phase = onlyPhase(
                estimator,
                aggregation()
                        .lengths(Distributions.named("D_unordered"))
                        .accounting(STEADY)
                        .limits(null, 8.0)
                        .maxBatchedTokens(700));

        ResultRow best = phase.rows().getFirst();
        assertThat(best.prefill().chunks()).isGreaterThan(1);
        assertThat(best.figures().tpotMillis()).isPositive();
        assertThat(best.composition().stream()
                        .mapToLong(ResultRow.CompositionRow::samples)
                        .sum())
                .isEqualTo(best.concurrency());
    }

    @Test
    void steadyAccountingTriesSmallerBudgetsWhenPrefillDoesNotFit() {
        // Room for 2500 tokens in a pass: not for a wave of 4 prompts, but for one of 2.
        LinearEstimator tight = Searches.roomFor(2500);

        PhaseResult phase = onlyPhase(
                tight,
                problem()
                        .accounting(STEADY)
                        .limits(1e6, null)
                        .tensorSizes(4)
                        .batches(BatchStrategy.EXPONENTIAL, new BatchRange(4, 8)));

        assertThat(phase.rows().getFirst().prefill()).isEqualTo(new PrefillPlan(1000, 2000, 1));
        assertThat(phase.rejected()).isEmpty();
    }

    @Test
    void aSmallerBudgetDoesNotHelpDecode() {
        LinearEstimator tight = Searches.withoutRoom();

        OptimizationResult result =
                optimize(tight, problem().accounting(STEADY).limits(null, 50.0).tensorSizes(4));

        assertThat(result.statistics()).isEqualTo(new Statistics(1, 1, 1, 0));
        assertThat(result.devices().getFirst().phases().getFirst().rejected())
                .extracting(RejectedCandidate::reason)
                .containsExactly(Reason.MEMORY);
    }

    @Test
    void aGivenBudgetIsTheOnlyOneTried() {
        LinearEstimator tight = Searches.withoutRoom();

        OptimizationResult automatic =
                optimize(tight, problem().accounting(STEADY).limits(50.0, null).tensorSizes(4));
        OptimizationResult given = optimize(
                tight,
                problem().accounting(STEADY).limits(50.0, null).tensorSizes(4).maxBatchedTokens(4000));

        assertThat(automatic.statistics().points()).isEqualTo(3);
        assertThat(given.statistics().points()).isEqualTo(1);
        assertThat(given.devices())
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*candidate\\.terms\\.maxBatchedTokens")
                .isEqualTo(automatic.devices());
    }
}
