package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.BudgetSearch.RecordedRows;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Searches that would keep very much. Prefill of `b` requests of 1000 tokens takes `1 + 10 b` ms.
class SearchMemoryTest {
    private static final int PROBES = 5000;

    private static ProblemBuilder everyBatchSize() {
        return ProblemBuilder.problem()
                .limits(30_001.0, null)
                .tensorSizes(4)
                .batches(BatchStrategy.EXHAUSTIVE, new BatchRange(1, PROBES));
    }

    private static PhaseResult search() {
        return Searches.onlyPhase(Searches.estimator(), everyBatchSize());
    }

    /// The last batch size within the limit is 3000.
    @Test
    void aCurveOfVeryManyPointsKeepsTheOnesThatMatterAndAnEvenShareOfTheOthers() {
        PhaseResult phase = search();

        List<Long> kept = phase.points().stream().map(SearchPoint::batchSize).toList();
        assertThat(kept).hasSizeLessThanOrEqualTo(ThinnedPoints.MOST).contains(1L, 3000L, 3001L, 5000L);
        assertThat(kept)
                .containsAll(LongStream.rangeClosed(1, PROBES / 8)
                        .mapToObj(multiple -> multiple * 8)
                        .toList());
        assertThat(phase.omittedPoints()).isEqualTo(PROBES - kept.size());
        assertThat(phase).isEqualTo(search());
    }

    @Test
    void aCurveOfFewPointsKeepsThemAll() {
        PhaseResult phase = Searches.onlyPhase(
                Searches.estimator(),
                everyBatchSize().batches(BatchStrategy.EXHAUSTIVE, new BatchRange(1, ThinnedPoints.MOST)));

        assertThat(phase.points()).hasSize(ThinnedPoints.MOST);
        assertThat(phase.omittedPoints()).isZero();
    }

    @Test
    void theBestRowIsFoundAmongVeryMany() {
        PhaseResult phase = search();

        assertThat(phase.rows()).singleElement().satisfies(row -> {
            assertThat(row.batchSize()).isEqualTo(3000);
            assertThat(row.binds()).containsExactly(BindingLimit.TTFT);
        });
        assertThat(phase.recorded()).hasSizeLessThan(2 * RecordedRows.MOST);
    }

    @Test
    void allRowsAreKeptWhereTheyAreListed() {
        PhaseResult phase =
                Searches.onlyPhase(Searches.estimator(), everyBatchSize().listingRows());

        assertThat(phase.recorded()).hasSize(3000);
        assertThat(phase.recorded())
                .allSatisfy(row -> assertThat(row.binds())
                        .containsExactly(row.batchSize() == 3000 ? BindingLimit.TTFT : BindingLimit.SEARCH));
    }

    @Test
    void aSearchThatWouldKeepMoreThanItMayEnds() {
        long memory = 1 << 20;
        Optimizer optimizer = new Optimizer(Searches.estimator(), Runnable::run, 1, memory);

        assertThatExceptionOfType(SearchMemoryException.class)
                .isThrownBy(() -> optimizer.optimize(everyBatchSize().build(), SearchMonitor.SILENT))
                .satisfies(failure -> assertThat(failure.maximumBytes()).isEqualTo(memory));
    }

    @Test
    void layoutsCountBeforeTheyAreMade() {
        Optimizer optimizer = new Optimizer(Searches.estimator(), Runnable::run, 1, MemoryBudget.CANDIDATE_BYTES);

        assertThatExceptionOfType(SearchMemoryException.class)
                .isThrownBy(() -> optimizer.optimize(
                        ProblemBuilder.problem()
                                .limits(1.0, null)
                                .tensorSizes(1, 2, 4)
                                .build(),
                        SearchMonitor.SILENT));
    }

    @Test
    void aSearchThatRunsOutOfMemoryOnOneLayoutStopsOnAll() {
        AtomicInteger calls = new AtomicInteger();
        OutOfMemoryError error = new OutOfMemoryError("told by the test");
        ForwardEstimator failing = (deployment, shape) -> {
            calls.incrementAndGet();
            throw error;
        };

        assertThatThrownBy(() -> Searches.optimize(failing, everyBatchSize().tensorSizes(1, 2, 4)))
                .isSameAs(error);
        assertThat(calls).hasValue(1);
    }

    /// About a hundred groups of requests decode at a time, eighty bytes each.
    @Test
    void aSimulationHoldsNoMoreThanItsSearchMay() {
        Optimizer optimizer = new Optimizer(Searches.estimator(), Runnable::run, 1, 6000);

        assertThatExceptionOfType(SearchMemoryException.class)
                .isThrownBy(() -> optimizer.optimize(
                        Searches.aggregation()
                                .input(10_500)
                                .maxBatchedTokens(10_000)
                                .tensorSizes(4)
                                .batches(BatchStrategy.BINARY, new BatchRange(500_000, 500_000))
                                .build(),
                        SearchMonitor.SILENT));
    }

    @Test
    void rowsAtBatchSizesOfTheCallersChoiceCountToo() {
        Optimizer optimizer = new Optimizer(Searches.estimator(), Runnable::run, 1, 1 << 16);
        OptimizationProblem problem = everyBatchSize().build();
        CandidateRows rows = optimizer.rows(
                Searches.onlyPhase(Searches.estimator(), everyBatchSize())
                        .rows()
                        .getFirst()
                        .candidate(),
                Phase.PREFILL,
                problem.demand().limits(),
                SearchMonitor.SILENT,
                optimizer.allowance());

        assertThat(rows.at(1)).isPresent();
        assertThatExceptionOfType(SearchMemoryException.class)
                .isThrownBy(() -> LongStream.rangeClosed(1, 100).forEach(rows::at));
    }
}
