package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.calibrated.CalibratedSizes;
import io.throughputoptimizer.core.calibrated.PricedReplicas;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.Silicon;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The fewest measured devices are those of brute force: every size, every layout, every concurrency, and every number
/// of instances.
class FewestMeasuredDevicesTest {
    private static final int BUDGET = 64;
    private static final int MOST_BATCH = 48;
    private static final List<String> MODELS =
            List.of("Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B", "deepseek-ai/DeepSeek-V3.1");

    static LongStream seeds() {
        return Nightly.seeds(2);
    }

    private static CalibratedCapacityProblem problem(long seed) {
        return problem(seed, BUDGET, MOST_BATCH, Coverage.NINE_TENTHS);
    }

    /// @param devices available, in proportion to which much is asked for
    static CalibratedCapacityProblem problem(long seed, int devices, int mostBatch, Coverage coverage) {
        Random random = new Random(seed);
        Limits limits = new Limits(
                random.nextBoolean() ? null : 300 + random.nextDouble(3000),
                random.nextBoolean() ? null : 15 + random.nextDouble(40),
                TtftBasis.BENCHMARK,
                null);
        int output = 100 + random.nextInt(900);
        CalibratedProblem measured = new CalibratedProblem(
                Silicon.model(MODELS.get((int) (seed % MODELS.size()))),
                List.of(new CalibratedDevice(
                        "B200_SXM",
                        Silicon.calibration("b200_sxm"),
                        Silicon.engine("vllm"),
                        Precision.of(Scheme.FP8_BLOCK),
                        new RankLimits(null, Scheduling.NO_LIMIT, 1),
                        null)),
                AvailableDevices.ofEach(devices),
                null,
                new CalibratedSizes(null, null, null),
                new CalibratedDemand(
                        new Traffic(new SpreadLengths(200 + random.nextInt(3000), output, 1), 0, 10, 0, null),
                        limits,
                        new RankBatches(1, mostBatch),
                        false,
                        null),
                coverage,
                ConcurrencySampling.EVERY_SUMMIT);
        Unit unit = List.of(Unit.values()).get(random.nextInt(3));
        double amount = switch (unit) {
            case REQUESTS_PER_S -> 1 + random.nextInt(100 * devices / BUDGET);
            case TOKENS_PER_S -> 1000 + random.nextInt(50_000 * devices / BUDGET);
            case CONCURRENCY, CONVERSATIONS -> 1 + random.nextInt(600 * devices / BUDGET);
        };
        return new CalibratedCapacityProblem(
                measured,
                List.of(1, 2, 4, 8),
                new Requirement(unit, amount, random.nextInt(3) / 5.0, output),
                Map.of(),
                null);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void areThoseOfBruteForce(long seed) {
        CalibratedCapacityProblem problem = problem(seed);
        CapacityResult result =
                CalibratedCapacityOptimizer.optimize(problem, SearchMonitor.SILENT, MemoryBudget.unlimited());

        List<CalibratedCapacityPlan> together = result.plans().stream()
                .filter(CalibratedCapacityPlan.class::isInstance)
                .map(CalibratedCapacityPlan.class::cast)
                .toList();
        assertThat(together.stream()
                        .mapToLong(CalibratedCapacityPlan::deviceCount)
                        .min())
                .isEqualTo(bruteForce(problem));
        assertThat(together).allSatisfy(plan -> {
            assertThat(plan.load().concurrency())
                    .isLessThanOrEqualTo(plan.peak().concurrency());
            assertThat(plan.utilization())
                    .isLessThanOrEqualTo(1 / (1 + problem.requirement().headroom()) + 1e-12);
            plan.unfavourable().ifPresent(worst -> assertThat(worst).isGreaterThanOrEqualTo(plan.count()));
        });
    }

    private static OptionalLong bruteForce(CalibratedCapacityProblem problem) {
        OptionalLong best = OptionalLong.empty();
        for (int size : problem.instanceSizes()) {
            CalibratedProblem one = problem.measured().with(size);
            for (ParallelLayout layout : one.instanceLayouts(size)) {
                PricedReplicas priced = PricedReplicas.of(one, layout).orElse(null);
                for (int concurrency = 1; priced != null && concurrency <= MOST_BATCH; concurrency++) {
                    LawOutcome outcome = priced.at(concurrency);
                    if (outcome instanceof SteadyFigures figures
                            && Breach.of(one.demand().limits(), outcome).isEmpty()) {
                        for (long count = 1; count * size <= BUDGET; count++) {
                            if (serves(problem.requirement(), priced, figures, count)) {
                                best = OptionalLong.of(Math.min(best.orElse(Long.MAX_VALUE), count * size));
                            }
                        }
                    }
                }
            }
        }
        return best;
    }

    private static boolean serves(Requirement asked, PricedReplicas priced, SteadyFigures figures, long count) {
        BigDecimal ranks = BigDecimal.valueOf(count * priced.ranks());
        BigDecimal needed =
                BigDecimal.valueOf(asked.amount()).multiply(BigDecimal.ONE.add(BigDecimal.valueOf(asked.headroom())));
        return switch (asked.unit()) {
            case REQUESTS_PER_S ->
                BigDecimal.valueOf(figures.requestsPerSecond()).multiply(ranks).compareTo(needed) >= 0;
            case TOKENS_PER_S ->
                BigDecimal.valueOf(figures.requestsPerSecond())
                                .multiply(ranks)
                                .multiply(BigDecimal.valueOf(asked.outputTokens()))
                                .compareTo(needed)
                        >= 0;
            case CONCURRENCY, CONVERSATIONS ->
                BigDecimal.valueOf(figures.concurrency()).multiply(ranks).compareTo(needed) >= 0;
        };
    }
}
