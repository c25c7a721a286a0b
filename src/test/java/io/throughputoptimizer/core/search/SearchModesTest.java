package io.throughputoptimizer.core.search;

import static io.throughputoptimizer.core.search.ProblemBuilder.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import io.throughputoptimizer.core.search.RejectedCandidate.Reason;
import io.throughputoptimizer.core.search.ResultRow.Breakdowns;
import io.throughputoptimizer.core.search.ResultRow.Figures;
import io.throughputoptimizer.core.search.ResultRow.PrefillPlan;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.fixture.Distributions;
import io.throughputoptimizer.fixture.LinearEstimator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What each mode and each accounting searches.
class SearchModesTest {
    /// Prefill takes 1 ms and 0.01 ms a token, decode 1 ms and 0.1 ms a request.
    private static final LinearEstimator.Latency LATENCY = new LinearEstimator.Latency(1, 0.01, 1, 0.1, 0);

    private static final LinearEstimator.Memory ROOMY = new LinearEstimator.Memory(64, 10, 8, 0);
    private static final Accounting CORRECTED = new Accounting.Corrected();

    private final LinearEstimator estimator = new LinearEstimator(LATENCY, ROOMY);

    @Test
    void aggregationSearchesInstancesThatDoBothUnderBothLimits() {
        PhaseResult phase = onlyPhase(aggregation().limits(300.0, 8.0).tensorSizes(4));

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
                        null));
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
        LinearEstimator memoryBound =
                new LinearEstimator(LATENCY, new LinearEstimator.Memory(64, 10, 8, 46.0 / 20_000));

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
                aggregation().input(20_000).tensorSizes(4).batches(BatchStrategy.EXHAUSTIVE, new BatchRange(1, 3)));

        assertThat(phase.rows().getFirst().prefill()).isEqualTo(new PrefillPlan(20_000, 8192, 3));
        // The seed's double count of TTFT ends where chunks begin: one request takes ttft + 99 tokens.
        double ttft = 3 + 0.01 * 20_000;
        assertThat(phase.recorded())
                .filteredOn(row -> row.batchSize() == 1)
                .singleElement()
                .extracting(ResultRow::figures)
                .isEqualTo(new Figures(
                        thousandths(ttft),
                        thousandths(1.1),
                        thousandths(1000 * 100 / (ttft + 99 * 1.1)),
                        thousandths(1000 * 100 / (ttft + 99 * 1.1) / 4),
                        null));
    }

    @Test
    void correctedAccountingAggregatesMixedLengths() {
        PhaseResult phase = onlyPhase(aggregation()
                .lengths(Distributions.named("D_unordered"))
                .accounting(CORRECTED)
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
    void correctedAccountingTriesSmallerBudgetsWhenPrefillDoesNotFit() {
        // Room for 2500 tokens in a pass: not for a wave of 4 prompts, but for one of 2.
        LinearEstimator tight = new LinearEstimator(LATENCY, new LinearEstimator.Memory(64, 10, 8, 46.0 / 2500));

        PhaseResult phase = onlyPhase(
                tight,
                problem()
                        .accounting(CORRECTED)
                        .limits(1e6, null)
                        .tensorSizes(4)
                        .batches(BatchStrategy.EXPONENTIAL, new BatchRange(4, 8)));

        assertThat(phase.rows().getFirst().prefill()).isEqualTo(new PrefillPlan(1000, 2000, 1));
        assertThat(phase.rejected()).isEmpty();
    }

    @Test
    void aSmallerBudgetDoesNotHelpDecode() {
        LinearEstimator tight = new LinearEstimator(LATENCY, new LinearEstimator.Memory(64, 10, 70, 0));

        OptimizationResult result = optimize(
                tight, problem().accounting(CORRECTED).limits(null, 50.0).tensorSizes(4));

        assertThat(result.statistics()).isEqualTo(new Statistics(1, 1, 1));
        assertThat(result.devices().getFirst().phases().getFirst().rejected())
                .extracting(RejectedCandidate::reason)
                .containsExactly(Reason.MEMORY);
    }

    @Test
    void aGivenBudgetIsTheOnlyOneTried() {
        LinearEstimator tight = new LinearEstimator(LATENCY, new LinearEstimator.Memory(64, 10, 70, 0));

        OptimizationResult automatic = optimize(
                tight, problem().accounting(CORRECTED).limits(50.0, null).tensorSizes(4));
        OptimizationResult given = optimize(
                tight,
                problem()
                        .accounting(CORRECTED)
                        .limits(50.0, null)
                        .tensorSizes(4)
                        .maxBatchedTokens(4000));

        assertThat(automatic.statistics().points()).isEqualTo(3);
        assertThat(given.statistics().points()).isEqualTo(1);
        assertThat(given.devices()).isEqualTo(automatic.devices());
    }

    @Test
    void aRatioSearchSearchesBothPhasesOnTheirOwnInstances() {
        DeviceResult device = onlyDevice(pdRatio(2, 4).limits(95.0, 5.05).devices(64, "DEVICE"));

        assertThat(device.deviceCount()).isEqualTo(64);
        assertThat(device.phases())
                .containsExactly(
                        onlyPhase(problem().limits(95.0, null).devices(2, "DEVICE")),
                        onlyPhase(problem().limits(null, 5.05).devices(4, "DEVICE")));
        assertThat(device.phases()).extracting(PhaseResult::deviceCount).containsExactly(2, 4);
    }

    @Test
    void aRatioSearchCombinesBothPhases() {
        DeviceResult device = onlyDevice(pdRatio(2, 4).limits(95.0, 5.05).devices(64, "DEVICE"));

        PdRatioRow best = ratio(device).rows().getFirst();
        // 9 prompts a rank take 91 ms, 40 decoding requests a rank 5 ms each of 99 tokens.
        double prefillQps = 9 * 2 / 91.0 * 1000;
        double decodeQps = 40 * 4 / (5.0 * 99) * 1000;
        assertThat(best.rank()).isEqualTo(1);
        assertThat(best.prefill()).isEqualTo(new PdRatioRow.Side(ParallelLayout.dense(1, 2), 9, 18, 91.0, prefillQps));
        assertThat(best.decode()).isEqualTo(new PdRatioRow.Side(ParallelLayout.dense(1, 4), 40, 160, 5.0, decodeQps));
        assertThat(best.ratio()).isEqualTo(decodeQps / prefillQps);
        assertThat(best.balancedQps()).isEqualTo(prefillQps);
        assertThat(best.instances())
                .isEqualTo(InstanceCounts.of(best.ratio(), 64, 2, 4).orElseThrow());
    }

    @Test
    void aRatioSearchNeedsNoLimits() {
        LinearEstimator memoryBound =
                new LinearEstimator(LATENCY, new LinearEstimator.Memory(64, 10, 8, 46.0 / 20_000));

        DeviceResult device = onlyDevice(memoryBound, pdRatio(4, 4).devices(1, "DEVICE"));

        assertThat(device.phases()).extracting(PhaseResult::phase).containsExactly(Phase.PREFILL, Phase.DECODE);
        assertThat(ratio(device).rows()).isNotEmpty();
        assertThat(ratio(device).rows())
                .allSatisfy(row -> assertThat(row.instances()).isNull());
    }

    @Test
    void aPhaseWithoutARowLeavesNothingToCombine() {
        DeviceResult device = onlyDevice(pdRatio(4, 4).limits(95.0, 0.5));

        assertThat(device.phases().getFirst().rows()).isNotEmpty();
        assertThat(device.phases().getLast().rows()).isEmpty();
        assertThat(device.phases().getLast().rejected()).hasSize(3);
        assertThat(ratio(device).rows()).isEmpty();
    }

    @Test
    void otherModesHaveNoRatio() {
        assertThat(onlyDevice(aggregation().limits(null, 8.0)).pdRatio()).isNull();
    }

    @Test
    void helpersDoNotChangeARatioSearch() {
        ProblemBuilder problem = pdRatio(8, 16).limits(95.0, 5.05);
        try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
            OptimizationResult helped =
                    new Optimizer(estimator, pool, 4).optimize(problem.build(), SearchMonitor.SILENT);

            assertThat(helped.devices()).isEqualTo(optimize(estimator, problem).devices());
        }
    }

    @Test
    void progressCountsTheLayoutsOfBothInstances() {
        AtomicInteger total = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        SearchMonitor monitor = new SearchMonitor() {
            @Override
            public void candidatesTotal(int candidates) {
                total.set(candidates);
            }

            @Override
            public void candidateDone() {
                done.incrementAndGet();
            }
        };

        new Optimizer(estimator)
                .optimize(pdRatio(2, 8).limits(95.0, 5.05).devices(8, "A", "B").build(), monitor);

        int layouts = 2 + 4;
        assertThat(total).hasValue(2 * layouts);
        assertThat(done).hasValue(2 * layouts);
    }

    @Test
    void kindsOfDeviceAreRankedByTheirBestRow() {
        ForwardEstimator speeds = slowDownBy("FAST", 1, "SLOW", 3);

        OptimizationResult result =
                optimize(speeds, problem().limits(1000.0, 9.0).devices(4, "SLOW", "FAST", "TOO SLOW"));

        HardwareComparison comparison = result.comparison().orElseThrow();
        assertThat(comparison.profiles())
                .extracting(figures -> figures.device())
                .containsExactly("SLOW", "FAST", "TOO SLOW");
        assertThat(comparison.pdRatio()).isEmpty();
        assertThat(comparison.phases())
                .extracting(HardwareComparison.PhaseRanking::phase)
                .containsExactly(Phase.PREFILL, Phase.DECODE);
        assertThat(comparison.phases())
                .allSatisfy(ranking -> assertThat(ranking.rows())
                        .extracting(best -> best.rank() + " " + best.device().name() + " " + best.deviceCount())
                        .containsExactly("1 FAST 4", "2 SLOW 4"));
        assertThat(comparison.phases().getFirst().rows().getFirst().row())
                .isEqualTo(result.devices().get(1).phases().getFirst().rows().getFirst());
    }

    @Test
    void kindsOfDeviceAreRankedByTheirBestRatio() {
        ForwardEstimator speeds = slowDownBy("FAST", 1, "SLOW", 3);

        OptimizationResult result =
                optimize(speeds, pdRatio(4, 4).limits(1000.0, 9.0).devices(8, "TOO SLOW", "SLOW", "ALSO FAST", "FAST"));

        HardwareComparison comparison = result.comparison().orElseThrow();
        assertThat(comparison.phases()).isEmpty();
        // Of equal ones the earlier goes first.
        assertThat(comparison.pdRatio())
                .extracting(best -> best.rank() + " " + best.device().name())
                .containsExactly("1 ALSO FAST", "2 FAST", "3 SLOW");
        assertThat(comparison.pdRatio().getFirst().row())
                .isEqualTo(ratio(result.devices().get(2)).rows().getFirst());
    }

    @Test
    void oneKindOfDeviceIsNotCompared() {
        assertThat(optimize(estimator, aggregation().limits(null, 8.0)).comparison())
                .isEmpty();
    }

    @Test
    void curvesAreThoseOfThePhasesOrOfTheDecodeSideOfARatio() {
        DeviceResult both = onlyDevice(problem().limits(95.0, 5.05));
        DeviceResult ratio = onlyDevice(pdRatio(4, 4).limits(95.0, 5.05));

        assertThat(both.curves())
                .isEqualTo(both.phases().stream().map(ThroughputCurves::of).toList());
        assertThat(ratio.curves())
                .containsExactly(ThroughputCurves.ofPdRatio(both.phases().getLast()));
        assertThat(ratio.curves().getFirst().series())
                .allSatisfy(series -> assertThat(series.points())
                        .extracting(ThroughputCurves.Point::withinObjective)
                        .contains(true, false));
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
                .isEqualTo(new Statistics(1, 100, estimator.calls().size()));
    }

    private static ProblemBuilder aggregation() {
        return problem().mode(SearchMode.AGGREGATION);
    }

    private static ProblemBuilder pdRatio(int prefill, int decode) {
        return problem().mode(SearchMode.PD_RATIO).instances(prefill, decode);
    }

    /// Kinds of device by the factor that slows them down: those whose name ends with one, another, and all the rest,
    /// which are too slow for any limit.
    private static ForwardEstimator slowDownBy(String fast, double fastFactor, String slow, double slowFactor) {
        return (deployment, shape) -> {
            String name = deployment.device().name();
            double factor = name.endsWith(fast) ? fastFactor : name.equals(slow) ? slowFactor : 1000;
            return new LinearEstimator(
                            new LinearEstimator.Latency(factor, 0.01 * factor, factor, 0.1 * factor, 0), ROOMY)
                    .estimate(deployment, shape);
        };
    }

    private static double thousandths(double value) {
        return Math.rint(value * 1000) / 1000;
    }

    private static PdRatioResult ratio(DeviceResult device) {
        return Objects.requireNonNull(device.pdRatio());
    }

    private PhaseResult onlyPhase(ProblemBuilder problem) {
        return onlyPhase(estimator, problem);
    }

    private static PhaseResult onlyPhase(ForwardEstimator estimator, ProblemBuilder problem) {
        List<PhaseResult> phases = onlyDevice(estimator, problem).phases();
        assertThat(phases).hasSize(1);
        return phases.getFirst();
    }

    private DeviceResult onlyDevice(ProblemBuilder problem) {
        return onlyDevice(estimator, problem);
    }

    private static DeviceResult onlyDevice(ForwardEstimator estimator, ProblemBuilder problem) {
        List<DeviceResult> devices = optimize(estimator, problem).devices();
        assertThat(devices).hasSize(1);
        return devices.getFirst();
    }

    private static OptimizationResult optimize(ForwardEstimator estimator, ProblemBuilder problem) {
        return new Optimizer(estimator).optimize(problem.build(), SearchMonitor.SILENT);
    }
}
