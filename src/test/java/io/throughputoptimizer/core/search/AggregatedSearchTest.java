package io.throughputoptimizer.core.search;

import static io.throughputoptimizer.core.search.Searches.aggregation;
import static io.throughputoptimizer.core.search.Searches.onlyPhase;
import static io.throughputoptimizer.core.search.Searches.optimize;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import io.throughputoptimizer.core.search.ResultRow.Breakdowns;
import io.throughputoptimizer.core.search.ResultRow.PrefillPlan;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.fixture.LinearEstimator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AggregatedSearchTest {
    private final LinearEstimator estimator = Searches.estimator();

    @Test
    void aggregationSearchesInstancesThatDoBothUnderBothLimits() {
        PhaseResult phase =
                onlyPhase(estimator, aggregation().limits(300.0, 8.0).tensorSizes(4));

        assertThat(phase.phase()).isEqualTo(Phase.AGGREGATION);
        assertThat(phase.deviceCount()).isEqualTo(4);
        ResultRow best = phase.rows().getFirst();
        // 8 prompts of 1000 tokens fill a wave of 81 ms, the rest takes 1 ms and 10 ms a prompt.
        assertThat(best.batchSize()).isEqualTo(5 * 8 + 3);
        double ttft = (8 * 81 * (1 + 2 + 3 + 4 + 5) + 3 * (5 * 81 + 31)) / 43.0;
        double decode = 1 + 0.1 * 43;
        double tpot = ttft / 100 + decode;
        assertThat(best.figures())
                .isEqualTo(new Figures(
                        thousandths(ttft),
                        thousandths(tpot),
                        thousandths(1000 * 100 * 43 / (ttft + tpot * 100)),
                        thousandths(1000 * 100 * 43 / (ttft + tpot * 100) / 4),
                        1000 * 43.0 / (5 * 81 + 31 + decode * 100),
                        thousandths(100 * tpot),
                        null));
        assertThat(best.requestsPerS()).isNull();
        assertThat(best.prefill()).isEqualTo(new PrefillPlan(1000, 8192, 1));
        BoundShares shares = new BoundShares(25, 0, 50, 25);
        assertThat(best.breakdowns()).isEqualTo(new Breakdowns(shares, shares));
        assertThat(phase.recorded()).allSatisfy(row -> {
            assertThat(row.figures().ttftMillis()).isLessThanOrEqualTo(300);
            assertThat(row.figures().tpotMillis()).isLessThanOrEqualTo(8);
        });
    }

    @Test
    void aggregationNeedsNoLimit() {
        LinearEstimator memoryBound = Searches.roomFor(20_000);

        PhaseResult phase = onlyPhase(memoryBound, aggregation().tensorSizes(4));

        // Room for 20000 tokens: 19 decoding requests of 1000 + 50 + 1, though a wave of 8 is all that prefill needs.
        assertThat(phase.recorded())
                .extracting(ResultRow::batchSize)
                .contains(19L)
                .doesNotContain(20L);
    }

    @Test
    void longPromptsArePrefilledInChunks() {
        PhaseResult phase = onlyPhase(
                estimator,
                aggregation().input(20_000).tensorSizes(4).batches(BatchStrategy.EXHAUSTIVE, new BatchRange(1, 3)));

        assertThat(phase.rows().getFirst().prefill()).isEqualTo(new PrefillPlan(20_000, 8192, 3));
        // The seed's double count of TTFT ends where chunks begin: one request takes ttft + 99 tokens.
        double ttft = 3 + 0.01 * 20_000;
        ResultRow single = phase.recorded().stream()
                .filter(row -> row.batchSize() == 1)
                .findFirst()
                .orElseThrow();
        assertThat(single.figures())
                .isEqualTo(new Figures(
                        thousandths(ttft),
                        thousandths(1.1),
                        thousandths(1000 * 100 / (ttft + 99 * 1.1)),
                        thousandths(1000 * 100 / (ttft + 99 * 1.1) / 4),
                        single.figures().sustainedRequestsPerS(),
                        thousandths(ttft + 99 * 1.1),
                        null));
        assertThat(single.figures().sustainedRequestsPerS()).isCloseTo(1000 / (ttft + 99 * 1.1), within(1e-9));
    }

    /// Most steps of a simulation run passes that are known already; it asks whether to stop in each of them.
    @Test
    void cancellationIsFeltInsideASimulation() {
        AtomicInteger asked = new AtomicInteger();
        SearchMonitor monitor = new SearchMonitor() {
            @Override
            public boolean cancelled() {
                return asked.incrementAndGet() > 20_000;
            }
        };
        ProblemBuilder problem = aggregation()
                .input(20_000)
                .tensorSizes(4)
                .batches(BatchStrategy.EXHAUSTIVE, new BatchRange(100_000, 100_000));

        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(() -> new Optimizer(estimator).optimize(problem.build(), monitor));
        assertThat(asked).hasValue(20_001);
        assertThat(estimator.calls()).hasSizeLessThan(20_000);
    }

    @Test
    void batchSizesOfALayoutShareTheirPasses() {
        OptimizationResult result = optimize(
                estimator,
                aggregation().input(20_000).tensorSizes(4).batches(BatchStrategy.EXHAUSTIVE, new BatchRange(1, 100)));

        assertThat(estimator.calls()).doesNotHaveDuplicates();
        assertThat(result.statistics())
                .isEqualTo(new Statistics(1, 100, estimator.calls().size(), 5300));
    }

    private static double thousandths(double value) {
        return Math.rint(value * 1000) / 1000;
    }
}
