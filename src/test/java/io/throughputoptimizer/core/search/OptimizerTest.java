package io.throughputoptimizer.core.search;

import static io.throughputoptimizer.core.search.ProblemBuilder.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import io.throughputoptimizer.core.search.RejectedCandidate.Reason;
import io.throughputoptimizer.core.search.ResultRow.Breakdowns;
import io.throughputoptimizer.core.search.ResultRow.CompositionRow;
import io.throughputoptimizer.core.search.ResultRow.PrefillPlan;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.fixture.Distributions;
import io.throughputoptimizer.fixture.LinearEstimator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class OptimizerTest {
    /// Prefill takes 1 ms and 0.01 ms a token, decode 1 ms and 0.1 ms a request.
    private static final LinearEstimator.Latency LATENCY = new LinearEstimator.Latency(1, 0.01, 1, 0.1, 0);

    private static final LinearEstimator.Memory ROOMY = new LinearEstimator.Memory(64, 10, 8, 0);

    private final LinearEstimator estimator = new LinearEstimator(LATENCY, ROOMY);

    @Test
    void aTtftLimitSearchesPrefill() {
        PhaseResult phase = onlyPhase(problem().limits(95.0, null));

        // 9 requests a rank take 1 + 0.01 * 9 * 1000 = 91 ms, the tenth would take 101 ms.
        assertThat(phase.phase()).isEqualTo(Phase.PREFILL);
        assertThat(phase.rows())
                .extracting(ResultRow::rank, ResultRow::layout, ResultRow::batchSize, ResultRow::concurrency)
                .containsExactly(
                        row(1, ParallelLayout.dense(1, 4), 9, 9 * 4),
                        row(2, ParallelLayout.dense(2, 2), 9, 9 * 2),
                        row(3, ParallelLayout.dense(4, 1), 9, 9));
        ResultRow best = phase.rows().getFirst();
        double tokensPerSecond = Math.rint(36.0 / 91 * 1000 * 1000 * 1000) / 1000;
        assertThat(best.figures())
                .isEqualTo(new Figures(
                        91.0,
                        null,
                        tokensPerSecond,
                        Math.rint(36.0 / 91 * 1000 * 1000 / 4 * 1000) / 1000,
                        1000 * 36 / 91.0,
                        91.0,
                        null));
        assertThat(best.requestsPerS()).isEqualTo(36 / 91.0 * 1000);
        assertThat(best.prefill()).isEqualTo(new PrefillPlan(1000, 8192, 1));
        assertThat(best.breakdowns()).isEqualTo(new Breakdowns(new BoundShares(25, 0, 50, 25), null));
        assertThat(best.memory().availableGib()).isEqualTo(64.0 - 8 - 10);
        assertThat(phase.rejected()).isEmpty();
    }

    @Test
    void aTpotLimitSearchesDecode() {
        PhaseResult phase = onlyPhase(problem().limits(null, 5.05));

        // 40 requests a rank take 1 + 0.1 * 40 = 5 ms.
        assertThat(phase.phase()).isEqualTo(Phase.DECODE);
        ResultRow best = phase.rows().getFirst();
        assertThat(best.batchSize()).isEqualTo(40);
        assertThat(best.figures())
                .isEqualTo(new Figures(
                        null, 5.0, 160 / 5.0 * 1000, 160 / 5.0 * 1000 / 4, 1000 * 160 / (5.0 * 99), 5.0 * 99, null));
        assertThat(best.requestsPerS()).isEqualTo(160 / (5.0 * 100) * 1000);
        assertThat(best.prefill()).isEqualTo(new PrefillPlan(1000, 8192, 0));
        assertThat(best.breakdowns()).isEqualTo(new Breakdowns(null, new BoundShares(25, 0, 50, 25)));
    }

    @Test
    void bothLimitsSearchBothPhasesEachWithItsOwnLimit() {
        DeviceResult both = onlyDevice(problem().limits(95.0, 5.05));

        assertThat(both.phases())
                .containsExactly(
                        onlyPhase(problem().limits(95.0, null)),
                        onlyPhase(problem().limits(null, 5.05)));
    }

    @Test
    void devicesAreSearchedOneAfterAnother() {
        OptimizationResult result = optimize(problem().limits(95.0, null).devices(4, "FIRST", "SECOND"));

        assertThat(result.devices())
                .extracting(device -> device.device().name())
                .containsExactly("FIRST", "SECOND");
        assertThat(result.devices().getFirst().phases())
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*candidate\\.deployment\\.device")
                .isEqualTo(result.devices().getLast().phases());
    }

    @Test
    void aKindOfDeviceGivenTwiceIsSearchedOnce() {
        OptimizationResult result = optimize(problem().limits(95.0, null).devices(4, "FIRST", "SECOND", "FIRST"));

        assertThat(result.devices())
                .extracting(device -> device.device().name())
                .containsExactly("FIRST", "SECOND");
    }

    @Test
    void mixedBatchesListTheirPartsOverAllRanks() {
        PhaseResult phase = onlyPhase(problem().limits(100.0, null).lengths(Distributions.named("D_unordered")));

        ResultRow row = phase.rows().getFirst();
        assertThat(row.layout()).isEqualTo(ParallelLayout.dense(1, 4));
        assertThat(row.composition()).isSortedAccordingTo((a, b) -> a.inputTokens() - b.inputTokens());
        assertThat(row.composition().stream().mapToLong(CompositionRow::samples).sum())
                .isEqualTo(row.concurrency());
        assertThat(row.composition())
                .allSatisfy(part -> assertThat(part.samples() % 4).isZero());
        assertThat(row.composition().getLast())
                .extracting(CompositionRow::inputTokens, CompositionRow::queryLength, CompositionRow::requestRatio)
                .containsExactly(1500, 1500, 0.333);
        assertThat(row.prefill()).isEqualTo(new PrefillPlan(row.prefill().effectiveInputLength(), 2000, 1));
    }

    @Test
    void aLayoutThatNeverFitsSaysWhatItNeeds() {
        LinearEstimator tight = new LinearEstimator(LATENCY, new LinearEstimator.Memory(64, 10, 70, 1e-4));

        PhaseResult phase = onlyPhase(tight, problem().limits(95.0, null).tensorSizes(4));

        assertThat(phase.rows()).isEmpty();
        assertThat(phase.points()).isEmpty();
        assertThat(phase.rejected())
                .containsExactly(new RejectedCandidate(
                        Candidates.of(ParallelLayout.dense(4, 1)),
                        Reason.MEMORY,
                        1L,
                        "needs 70.1 GB of 54.0 GB",
                        phase.rejected().getFirst().ofLimit()));
        assertThat(phase.rejected().getFirst().ofLimit()).isCloseTo(70.1 / 54.0, within(1e-3));
    }

    @Test
    void aLayoutThatIsTooSlowSaysByHowMuch() {
        PhaseResult phase = onlyPhase(
                problem().limits(9.0, null).tensorSizes(1).batches(BatchStrategy.EXPONENTIAL, new BatchRange(2, 8)));

        assertThat(phase.rejected())
                .containsExactly(new RejectedCandidate(
                        Candidates.of(ParallelLayout.dense(1, 4)),
                        Reason.TTFT,
                        2L,
                        "TTFT 21.0 ms exceeds 9 ms by 12.0 ms",
                        21.0 / 9.0));
        assertThat(phase.points())
                .containsExactly(new SearchPoint(
                        Candidates.of(ParallelLayout.dense(1, 4)),
                        2,
                        8,
                        new Figures(
                                21.0,
                                null,
                                Math.rint(8 / 21.0 * 1000 * 1000 * 1000) / 1000,
                                Math.rint(8 / 21.0 * 1000 * 1000 / 4 * 1000) / 1000,
                                1000 * 8 / 21.0,
                                21.0,
                                null),
                        false));
    }

    @Test
    void aLayoutThatTheModelDoesNotAllowIsNotProbed() {
        PhaseResult phase =
                onlyPhase(problem().limits(null, 9.0).devices(6, "DEVICE").tensorSizes(3));

        assertThat(phase.rejected())
                .containsExactly(new RejectedCandidate(
                        Candidates.of(ParallelLayout.dense(3, 2)),
                        Reason.MODEL,
                        null,
                        "16 query heads do not divide over tp 3",
                        null));
        assertThat(estimator.calls()).isEmpty();
    }

    @Test
    void aLimitBrokenOnlyByRoundingIsNamed() {
        LinearEstimator fine = new LinearEstimator(new LinearEstimator.Latency(1, 1, 4.99964, 0, 0), ROOMY);

        PhaseResult phase = onlyPhase(fine, problem().limits(null, 4.9997).tensorSizes(1));

        assertThat(phase.rows()).isEmpty();
        assertThat(phase.recorded()).isNotEmpty();
        assertThat(phase.rejected())
                .singleElement()
                .extracting(RejectedCandidate::reason, RejectedCandidate::detail)
                .containsExactly(Reason.TPOT, "TPOT 5.0000 ms exceeds 4.9997 ms by 0.0003 ms");
    }

    @Test
    void curvePointsHoldEveryProbeThatFitsOnce() {
        LinearEstimator memoryBound =
                new LinearEstimator(LATENCY, new LinearEstimator.Memory(64, 10, 8, 46.0 / 20_000));

        PhaseResult phase = onlyPhase(
                memoryBound,
                problem().limits(95.0, null).tensorSizes(4).batches(BatchStrategy.EXHAUSTIVE, new BatchRange(7, 30)));

        // Memory ends at 20 requests of 1000 tokens, the limit at 9.
        assertThat(phase.points())
                .extracting(SearchPoint::batchSize)
                .containsExactly(7L, 8L, 9L, 10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L);
        assertThat(phase.points().stream().filter(SearchPoint::withinLimits).map(SearchPoint::batchSize))
                .containsExactly(7L, 8L, 9L);
        assertThat(phase.recorded()).extracting(ResultRow::batchSize).containsExactlyInAnyOrder(7L, 8L, 9L);
    }

    @Test
    void aBatchSizeProbedTwiceIsEvaluatedOnce() {
        OptimizationResult result = optimize(
                problem().limits(95.0, null).tensorSizes(4).batches(BatchStrategy.EXPONENTIAL, new BatchRange(5, 5)));

        assertThat(result.statistics()).isEqualTo(new Statistics(1, 1, 1, 0));
        assertThat(estimator.calls()).hasSize(1);
    }

    @Test
    void progressIsTold() {
        AtomicInteger total = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        AtomicInteger points = new AtomicInteger();
        SearchMonitor monitor = new SearchMonitor() {
            @Override
            public void candidatesTotal(int candidates) {
                assertThat(estimator.calls()).isEmpty();
                total.set(candidates);
            }

            @Override
            public void candidateDone() {
                done.incrementAndGet();
            }

            @Override
            public void pointEvaluated() {
                points.incrementAndGet();
            }
        };

        OptimizationResult result = new Optimizer(estimator)
                .optimize(problem().limits(95.0, 5.05).devices(4, "A", "B").build(), monitor);

        int candidates = 2 * 2 * 3;
        assertThat(total).hasValue(candidates);
        assertThat(done).hasValue(candidates);
        assertThat(result.statistics())
                .isEqualTo(new Statistics(
                        candidates, points.get(), estimator.calls().size(), 0));
    }

    @Test
    void aCancelledSearchAsksForNoFurtherPass() {
        SearchMonitor monitor = new SearchMonitor() {
            @Override
            public boolean cancelled() {
                return estimator.calls().size() >= 5;
            }
        };

        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(() -> new Optimizer(estimator)
                        .optimize(problem().limits(95.0, null).build(), monitor));
        assertThat(estimator.calls()).hasSize(5);
    }

    @Test
    void cancellationIsFeltInsideAPoint() {
        SearchMonitor monitor = new SearchMonitor() {
            @Override
            public boolean cancelled() {
                return estimator.calls().size() >= 500;
            }
        };

        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(() -> new Optimizer(estimator)
                        .optimize(
                                problem()
                                        .input(1_000_000)
                                        .maxBatchedTokens(1)
                                        .limits(1e9, null)
                                        .build(),
                                monitor));
        assertThat(estimator.calls()).hasSize(500);
    }

    @Test
    void helpersDoNotChangeTheResult() {
        ProblemBuilder problem = problem().limits(95.0, 5.05).devices(16, "A", "B");
        try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
            OptimizationResult helped =
                    new Optimizer(estimator, pool, 4, Long.MAX_VALUE).optimize(problem.build(), SearchMonitor.SILENT);

            assertThat(helped.devices()).isEqualTo(optimize(problem).devices());
            assertThat(helped.statistics()).isEqualTo(optimize(problem).statistics());
        }
    }

    private PhaseResult onlyPhase(ProblemBuilder problem) {
        return onlyPhase(estimator, problem);
    }

    private static PhaseResult onlyPhase(LinearEstimator estimator, ProblemBuilder problem) {
        OptimizationResult result = new Optimizer(estimator).optimize(problem.build(), SearchMonitor.SILENT);
        assertThat(result.devices()).hasSize(1);
        assertThat(result.devices().getFirst().phases()).hasSize(1);
        return result.devices().getFirst().phases().getFirst();
    }

    private DeviceResult onlyDevice(ProblemBuilder problem) {
        OptimizationResult result = optimize(problem);
        assertThat(result.devices()).hasSize(1);
        return result.devices().getFirst();
    }

    private OptimizationResult optimize(ProblemBuilder problem) {
        return new Optimizer(estimator).optimize(problem.build(), SearchMonitor.SILENT);
    }

    private static Tuple row(int rank, ParallelLayout layout, long batch, long concurrency) {
        return Tuple.tuple(rank, layout, batch, concurrency);
    }
}
