package io.throughputoptimizer.core.calibrated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.calibrated.CalibratedResult.BrokenLimits;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Found;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Impossible;
import io.throughputoptimizer.core.kernels.BandBasis;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.load.Breach.Limit;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.DisaggregatedLaw;
import io.throughputoptimizer.core.load.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Silicon;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CalibratedOptimizerTest {
    private static final Limits NO_LIMITS = new Limits(null, null, TtftBasis.BENCHMARK, null);
    private static final Comparator<CalibratedRow> MOST_TOKENS_FIRST =
            Comparator.comparingDouble(row -> -row.at().tokensPerSecond().value());
    private static final CalibratedSizes POWERS_OF_TWO = new CalibratedSizes(List.of(), null, null);

    @Test
    void layoutsTakeAllDevicesByWholeReplicas() {
        Found found = search("Qwen/Qwen3-32B", 8, POWERS_OF_TWO, NO_LIMITS);
        assertThat(found.rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.at().devices()).isEqualTo(8));
        assertThat(found.rows())
                .extracting(row -> row.at().replicas().count()
                        * row.at().replicas().deployment().layout().tp())
                .containsOnly(8);
    }

    @Test
    void expertsAreTriedWithAttentionDataParallelism() {
        CalibratedProblem problem = problem("deepseek-ai/DeepSeek-R1", 8, POWERS_OF_TWO, NO_LIMITS);
        assertThat(problem.layouts(problem.devices().getFirst()))
                .extracting(layout -> layout.label())
                .contains("TP=1 | PP=1 | DP=8 | EP=8 | MOE-TP=1 | MOE-DP=1")
                .doesNotHaveDuplicates();
    }

    @Test
    void attentionDataParallelismBesideTensorParallelismIsFlagged() {
        Found found = search(
                "deepseek-ai/DeepSeek-R1", 8, new CalibratedSizes(List.of(2), List.of(4), List.of(8)), NO_LIMITS);
        assertThat(found.rows())
                .singleElement()
                .satisfies(row -> assertThat(row.at().bands().flags()).contains(Flag.LAYOUT));
    }

    /// Attention data parallelism beside tensor parallelism is flagged, and the flag widens the band of a TTFT with
    /// experts beyond 1:10.
    @Test
    void rowsWithWideBandsAreBehindAllOthersThoughTheyDeliverMore() {
        List<CalibratedRow> rows =
                search("deepseek-ai/DeepSeek-R1", 16, POWERS_OF_TWO, NO_LIMITS).rows();
        List<CalibratedRow> narrow =
                rows.stream().takeWhile(row -> !row.at().bands().isWide()).toList();
        List<CalibratedRow> wide = rows.subList(narrow.size(), rows.size());
        assertThat(wide).isNotEmpty().allMatch(row -> row.at().bands().isWide());
        assertThat(narrow).isNotEmpty().isSortedAccordingTo(MOST_TOKENS_FIRST);
        assertThat(wide).isSortedAccordingTo(MOST_TOKENS_FIRST);
        assertThat(MOST_TOKENS_FIRST.compare(wide.getFirst(), narrow.getLast())).isNegative();
    }

    @Test
    void aLayoutThatBreaksALimitAtOneRequestSaysWhich() {
        Found found = search("Qwen/Qwen3-32B", 8, POWERS_OF_TWO, new Limits(null, 0.5, TtftBasis.BENCHMARK, null));
        assertThat(found.rows()).isEmpty();
        assertThat(found.rejections())
                .allSatisfy(rejection -> assertThat(rejection)
                        .isInstanceOfSatisfying(
                                BrokenLimits.class,
                                broken -> assertThat(broken.breaches())
                                        .extracting(breach -> breach.limit())
                                        .contains(Limit.TPOT_MILLIS)));
    }

    @Test
    void aLayoutThatHeadsDoNotDivideOverIsImpossible() {
        Found found = search("Qwen/Qwen3-32B", 24, new CalibratedSizes(List.of(3), null, null), NO_LIMITS);
        assertThat(found.rejections()).singleElement().isInstanceOf(Impossible.class);
    }

    @Test
    void instancesApartAreTriedInAllNumbersThatLeaveNoRoomForOneMore() {
        CalibratedProblem problem = problem("deepseek-ai/DeepSeek-R1", 24, Pairing.of(4, 8), POWERS_OF_TWO, NO_LIMITS);
        Found found = found(problem);
        assertThat(found.rows())
                .extracting(row -> row.at().pair().counts())
                .contains(new InstanceCounts(2, 2), new InstanceCounts(4, 1))
                .doesNotContain(new InstanceCounts(1, 2), new InstanceCounts(2, 1));
        assertThat(found.rows())
                .isSortedAccordingTo(Comparator.comparingDouble(
                        row -> -row.at().tokensPerSecondPerDevice().value()))
                .allSatisfy(row -> {
                    assertThat(row.at().devices()).isLessThanOrEqualTo(24);
                    assertThat(row.at().pair().prefill().layout().deviceCount()).isEqualTo(4);
                    assertThat(row.at().pair().decode().layout().deviceCount()).isEqualTo(8);
                    assertThat(row.at().bands().tpot()).isEqualTo(BandBasis.TPOT_DISAGGREGATED_ONE_NODE);
                });
    }

    @Test
    void theFiguresOfAPairAreThoseOfTheLawOfInstancesApart() {
        Found found = found(problem("Qwen/Qwen3-32B", 8, Pairing.of(1, 2), POWERS_OF_TWO, NO_LIMITS));
        assertThat(found.rows()).hasSize(3).allSatisfy(row -> {
            LawOutcome expected = new DisaggregatedLaw(
                            workers(
                                    row.at().pair().prefill(),
                                    row.at().pair().counts().prefill(),
                                    Phase.PREFILL),
                            workers(
                                    row.at().pair().decode(),
                                    row.at().pair().counts().decode(),
                                    Phase.DECODE),
                            new MeanRequest(1024, 1024, 0, null),
                            10,
                            0)
                    .at(row.at().concurrency());
            assertThat(row.at().figures()).isEqualTo(expected);
            assertThat(row.at().requestsPerSecond().value() * 1024)
                    .isCloseTo(row.at().tokensPerSecond().value(), withinPercentage(1e-9));
        });
    }

    private static Workers workers(CalibratedDeployment deployment, int count, Phase phase) {
        return new Workers(
                CalibratedRank.of(
                        deployment,
                        new RankLimits(null, Scheduling.NO_LIMIT, 1)
                                .of(deployment, phase, new SpreadLengths(1024, 1024, 1))),
                count * deployment.layout().dp());
    }

    @Test
    void aPrefillInstanceWithoutRoomForAPromptIsRejected() {
        // 671 GB of weights do not fit on one device of 180.
        CalibratedProblem problem = problem("deepseek-ai/DeepSeek-R1", 16, Pairing.of(1, 8), POWERS_OF_TWO, NO_LIMITS);
        Found found = found(problem);
        assertThat(found.rows()).isEmpty();
        assertThat(found.rejections())
                .filteredOn(rejection -> rejection.arrangement() instanceof InstanceLayout.Side side && !side.decodes())
                .singleElement()
                .isInstanceOfSatisfying(
                        BrokenLimits.class,
                        broken ->
                                assertThat(broken.breaches().getFirst().limit()).isEqualTo(Limit.KV_TOKENS));
    }

    @Test
    void pairsThatBreakALimitInAllNumbersSayWhich() {
        Found found = found(problem(
                "Qwen/Qwen3-32B",
                8,
                Pairing.of(2, 2),
                POWERS_OF_TWO,
                new Limits(1.0, null, TtftBasis.BENCHMARK, null)));
        assertThat(found.rows()).isEmpty();
        assertThat(found.rejections()).singleElement().isInstanceOfSatisfying(BrokenLimits.class, pair -> {
            assertThat(pair.arrangement()).isInstanceOf(InstanceLayout.Pair.class);
            assertThat(pair.breaches()).extracting(breach -> breach.limit()).containsExactly(Limit.TTFT_MILLIS);
        });
    }

    @Test
    void aSearchOfPairsStaysBelowItsMostPoints() {
        CalibratedProblem problem = problem("openai/gpt-oss-120b", 16, Pairing.of(2, 4), POWERS_OF_TWO, NO_LIMITS);
        assertThat(CalibratedOptimizer.optimize(problem, SearchMonitor.SILENT).points())
                .isPositive()
                .isLessThanOrEqualTo(problem.mostPoints());
    }

    @Test
    void aSearchStaysBelowItsMostPoints() {
        for (String model : List.of("Qwen/Qwen3-32B", "openai/gpt-oss-120b")) {
            CalibratedProblem problem = problem(model, 8, POWERS_OF_TWO, NO_LIMITS);
            assertThat(CalibratedOptimizer.optimize(problem, SearchMonitor.SILENT)
                            .points())
                    .isPositive()
                    .isLessThanOrEqualTo(problem.mostPoints());
        }
    }

    @Test
    void aSearchEndsWhenItIsCancelled() {
        CalibratedProblem problem = problem("Qwen/Qwen3-32B", 8, POWERS_OF_TWO, NO_LIMITS);
        SearchMonitor cancelled = new SearchMonitor() {
            @Override
            public boolean cancelled() {
                return true;
            }
        };
        assertThatThrownBy(() -> CalibratedOptimizer.optimize(problem, cancelled))
                .isInstanceOf(CancellationException.class);
    }

    private static Found search(String model, int devices, CalibratedSizes sizes, Limits limits) {
        return found(problem(model, devices, sizes, limits));
    }

    private static Found found(CalibratedProblem problem) {
        return CalibratedOptimizer.optimize(problem, SearchMonitor.SILENT)
                .devices()
                .getFirst()
                .found();
    }

    private static CalibratedProblem problem(String model, int devices, CalibratedSizes sizes, Limits limits) {
        return problem(model, devices, null, sizes, limits);
    }

    private static CalibratedProblem problem(
            String model, int devices, @Nullable Pairing instances, CalibratedSizes sizes, Limits limits) {
        return new CalibratedProblem(
                Silicon.model(model),
                List.of(new CalibratedDevice(
                        "B200_SXM",
                        Silicon.calibration("b200_sxm"),
                        Silicon.engine("vllm"),
                        Precision.of(Scheme.FP8_BLOCK),
                        new RankLimits(null, Scheduling.NO_LIMIT, 1),
                        null)),
                AvailableDevices.ofEach(devices),
                instances,
                sizes,
                new CalibratedDemand(
                        new Traffic(new SpreadLengths(1024, 1024, 1), 0, 10, 0, null), limits, null, false, null),
                Coverage.NINE_TENTHS,
                ConcurrencySampling.EVERY_SUMMIT);
    }
}
