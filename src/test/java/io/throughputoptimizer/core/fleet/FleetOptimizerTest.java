package io.throughputoptimizer.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.core.fleet.FleetResult.BrokenLimits;
import io.throughputoptimizer.core.fleet.FleetResult.DeviceRanking;
import io.throughputoptimizer.core.fleet.FleetResult.Impossible;
import io.throughputoptimizer.core.fleet.MeasuredDevice.RankLimits;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.silicon.BandBasis.Coverage;
import io.throughputoptimizer.core.silicon.Flag;
import io.throughputoptimizer.core.silicon.Precision;
import io.throughputoptimizer.core.silicon.Scheme;
import io.throughputoptimizer.core.steady.EngineSettings.Scheduling;
import io.throughputoptimizer.core.steady.RequestLengths;
import io.throughputoptimizer.core.steady.ServiceLimits;
import io.throughputoptimizer.core.steady.ServiceLimits.Limit;
import io.throughputoptimizer.core.steady.Traffic;
import io.throughputoptimizer.core.steady.Traffic.TtftBasis;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class FleetOptimizerTest {
    private static final ServiceLimits NO_LIMITS = new ServiceLimits(null, null, TtftBasis.BENCHMARK, null);
    private static final FleetProblem.Sizes POWERS_OF_TWO = new FleetProblem.Sizes(List.of(), null, null);

    @Test
    void layoutsTakeAllDevicesByWholeReplicas() {
        DeviceRanking found = search("Qwen/Qwen3-32B", 8, POWERS_OF_TWO, NO_LIMITS);
        assertThat(found.rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.devices()).isEqualTo(8));
        assertThat(found.rows())
                .extracting(row -> row.replicas() * row.deployment().layout().tp())
                .containsOnly(8);
    }

    @Test
    void expertsAreTriedWithAttentionDataParallelism() {
        FleetProblem problem = problem("deepseek-ai/DeepSeek-R1", 8, POWERS_OF_TWO, NO_LIMITS);
        assertThat(problem.layouts())
                .extracting(layout -> layout.label())
                .contains("TP=1 | PP=1 | DP=8 | EP=8 | MOE-TP=1 | MOE-DP=1")
                .doesNotHaveDuplicates();
    }

    @Test
    void attentionDataParallelismBesideTensorParallelismIsFlagged() {
        DeviceRanking found = search(
                "deepseek-ai/DeepSeek-R1", 8, new FleetProblem.Sizes(List.of(2), List.of(4), List.of(8)), NO_LIMITS);
        assertThat(found.rows())
                .singleElement()
                .satisfies(row -> assertThat(row.bands().flags()).contains(Flag.LAYOUT));
    }

    @Test
    void aLayoutThatBreaksALimitAtOneRequestSaysWhich() {
        DeviceRanking found =
                search("Qwen/Qwen3-32B", 8, POWERS_OF_TWO, new ServiceLimits(null, 0.5, TtftBasis.BENCHMARK, null));
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
        DeviceRanking found = search("Qwen/Qwen3-32B", 24, new FleetProblem.Sizes(List.of(3), null, null), NO_LIMITS);
        assertThat(found.rejections()).singleElement().isInstanceOf(Impossible.class);
    }

    @Test
    void aSearchStaysBelowItsMostPoints() {
        for (String model : List.of("Qwen/Qwen3-32B", "openai/gpt-oss-120b")) {
            FleetProblem problem = problem(model, 8, POWERS_OF_TWO, NO_LIMITS);
            assertThat(FleetOptimizer.optimize(problem, SearchMonitor.SILENT).points())
                    .isPositive()
                    .isLessThanOrEqualTo(problem.mostPoints());
        }
    }

    @Test
    void aSearchEndsWhenItIsCancelled() {
        FleetProblem problem = problem("Qwen/Qwen3-32B", 8, POWERS_OF_TWO, NO_LIMITS);
        SearchMonitor cancelled = new SearchMonitor() {
            @Override
            public boolean cancelled() {
                return true;
            }
        };
        assertThatThrownBy(() -> FleetOptimizer.optimize(problem, cancelled)).isInstanceOf(CancellationException.class);
    }

    private static DeviceRanking search(String model, int devices, FleetProblem.Sizes sizes, ServiceLimits limits) {
        return FleetOptimizer.optimize(problem(model, devices, sizes, limits), SearchMonitor.SILENT)
                .devices()
                .getFirst();
    }

    private static FleetProblem problem(String model, int devices, FleetProblem.Sizes sizes, ServiceLimits limits) {
        return new FleetProblem(
                Silicon.model(model),
                List.of(new MeasuredDevice(
                        "B200_SXM",
                        Silicon.calibration("b200_sxm"),
                        Silicon.engine("vllm"),
                        Precision.of(Scheme.FP8_BLOCK),
                        new RankLimits(null, Scheduling.NO_LIMIT, 1))),
                devices,
                sizes,
                new FleetProblem.Demand(new Traffic(new RequestLengths(1024, 1024, 1), 0, 10, 0, null), limits, null),
                Coverage.NINE_TENTHS);
    }
}
