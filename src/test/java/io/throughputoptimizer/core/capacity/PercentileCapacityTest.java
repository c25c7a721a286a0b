package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.calibrated.CalibratedSizes;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Instances counted for limits on a percentile keep them at their share of the arrivals.
class PercentileCapacityTest {
    private static final int SEEDS = 20;
    private static final int REQUESTS = 2000;

    static LongStream seeds() {
        return Nightly.seeds(3);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theCountOfInstancesHoldsThePercentileOfOtherArrivals(long seed) {
        Random random = new Random(seed);
        double percentile = List.of(90.0, 95.0, 99.0).get(random.nextInt(3));
        Limits limits =
                new Limits(500 + random.nextDouble(1500), 15 + random.nextDouble(40), TtftBasis.BENCHMARK, percentile);
        Requirement requirement = new Requirement(Unit.REQUESTS_PER_S, 5 + random.nextInt(40), 0.2, 400);
        CalibratedCapacityProblem problem = new CalibratedCapacityProblem(
                new CalibratedProblem(
                        Silicon.model(
                                List.of("Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B").get(random.nextInt(2))),
                        List.of(new CalibratedDevice(
                                "H200_SXM",
                                Silicon.calibration("h200_sxm"),
                                Silicon.engine(List.of("vllm", "sglang").get(random.nextInt(2))),
                                Precision.of(Scheme.FP8_BLOCK),
                                new RankLimits(null, Scheduling.NO_LIMIT, 1),
                                null)),
                        AvailableDevices.ofEach(256),
                        null,
                        new CalibratedSizes(List.of(), null, null),
                        new CalibratedDemand(
                                new Traffic(new SpreadLengths(500 + random.nextInt(3000), 400, 1), 0, 10, 0, null),
                                limits,
                                null,
                                true,
                                null),
                        Coverage.NINE_TENTHS,
                        ConcurrencySampling.EVERY_SUMMIT),
                List.of(1, 2, 4),
                requirement,
                Map.of(),
                null);
        List<CalibratedCapacityPlan> plans =
                CalibratedCapacityOptimizer.optimize(problem, SearchMonitor.SILENT, MemoryBudget.unlimited())
                        .plans()
                        .stream()
                        .map(CalibratedCapacityPlan.class::cast)
                        .toList();
        assertThat(plans).isNotEmpty().allSatisfy(plan -> {
            assertThat(seedsThatHold(plan, requirement.asked(), limits)).isEqualTo(SEEDS);
            assertThat(seedsThatHold(plan, requirement.planned(), limits)).isGreaterThan(SEEDS / 2);
            assertThat(plan.percentiles()).hasValueSatisfying(found -> {
                assertThat(found.percent()).isEqualTo(percentile);
                assertThat(found.ttftMillis()).isLessThanOrEqualTo(limits.ttftMillis());
                assertThat(found.tpotMillis()).isLessThanOrEqualTo(limits.tpotMillis());
            });
        });
    }

    private static long seedsThatHold(CalibratedCapacityPlan plan, Ratio demand, Limits limits) {
        double share = demand.value() / plan.count() / plan.instance().priced().ranks();
        return LongStream.rangeClosed(1, SEEDS)
                .filter(seed -> {
                    SimulationResult result = plan.instance()
                            .priced()
                            .simulate(
                                    plan.problem()
                                            .demand()
                                            .traffic()
                                            .openLoop(new Traffic.Rate(share, REQUESTS, seed), 1),
                                    () -> {});
                    return Breach.of(limits, result, limits.percentile()).isEmpty();
                })
                .count();
    }
}
