package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.TriedReplica;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.capacity.ScalableInstance.End;
import io.throughputoptimizer.core.capacity.ScalableInstance.Load;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Nightly;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Loads to aim at, of drawn capacity plans.
class ScalableInstanceTest {
    private static final int DEVICES = 16;
    private static final int MOST_BATCH = 256;

    static LongStream seeds() {
        return Nightly.seeds(6);
    }

    private static CalibratedCapacityProblem problem(long seed, Limits limits) {
        CalibratedCapacityProblem drawn =
                FewestMeasuredDevicesTest.problem(seed, DEVICES, MOST_BATCH, Coverage.NINE_TENTHS);
        CalibratedProblem measured = drawn.measured();
        return new CalibratedCapacityProblem(
                measured.with(measured.demand().with(limits)),
                List.of(8),
                new Requirement(
                        Unit.REQUESTS_PER_S,
                        1,
                        0.2,
                        measured.demand().traffic().mean().outputTokens()),
                drawn.mostDevices(),
                drawn.transfer());
    }

    private static List<TriedReplica> replicas(CalibratedCapacityProblem problem) {
        return problem.instances()
                .filter(one -> one.phase() == Phase.AGGREGATION)
                .limit(4)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void thresholdsFallWhenLimitsTighten(long seed) {
        for (TriedReplica replica : replicas(problem(seed, new Limits(2000.0, 50.0)))) {
            long highest = Long.MAX_VALUE;
            long target = Long.MAX_VALUE;
            for (double scale = 1; scale > 0.3; scale -= 0.1) {
                CalibratedCapacityProblem tighter = problem(seed, new Limits(2000 * scale, 50 * scale));
                Optional<ScalableInstance> instance = ScalableInstance.of(tighter, replica, SearchMonitor.SILENT);
                if (instance.isPresent()) {
                    assertThat(instance.get().highest(End.PREDICTED).getAsLong())
                            .isLessThanOrEqualTo(highest);
                    assertThat(instance.get().target(End.PREDICTED).getAsLong()).isLessThanOrEqualTo(target);
                    highest = instance.get().highest(End.PREDICTED).getAsLong();
                    target = instance.get().target(End.PREDICTED).getAsLong();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theTargetLeavesTheHeadroomAndNoMore(long seed) {
        CalibratedCapacityProblem problem = problem(seed, new Limits(2000.0, 50.0));
        for (TriedReplica replica : replicas(problem)) {
            ScalableInstance.of(problem, replica, SearchMonitor.SILENT).ifPresent(instance -> {
                int ranks = instance.setting().ranks();
                long target = instance.target(End.PREDICTED).getAsLong();
                double aim = instance.requestsPerS() / 1.2;
                assertThat(rate(instance, target + ranks)).isGreaterThan(aim);
                if (target > ranks) {
                    assertThat(rate(instance, target)).isLessThanOrEqualTo(aim);
                }
                long highest = instance.highest(End.PREDICTED).getAsLong();
                instance.highest(End.UNFAVORABLE)
                        .ifPresent(worst -> assertThat(worst).isLessThanOrEqualTo(highest));
                instance.highest(End.FAVORABLE)
                        .ifPresent(best -> assertThat(best).isGreaterThanOrEqualTo(highest));
            });
        }
    }

    /// At an end of the intervals too, the end-to-end latency has the TTFT of the basis.
    @ParameterizedTest
    @MethodSource("seeds")
    void endToEndLatencyHasTheBasisOfTheLimits(long seed) {
        Limits limits = new Limits(null, 50.0, TtftBasis.SETTLED, null, false, 20_000.0);
        CalibratedCapacityProblem problem = problem(seed, limits);
        for (TriedReplica replica : replicas(problem)) {
            ScalableInstance.of(problem, replica, SearchMonitor.SILENT)
                    .ifPresent(instance -> instance.highest(End.UNFAVORABLE).ifPresent(worst -> {
                        assertThat(keeps(instance, worst)).isTrue();
                        if (worst < instance.highest(End.PREDICTED).getAsLong()) {
                            assertThat(keeps(
                                            instance, worst + instance.setting().ranks()))
                                    .isFalse();
                        }
                    }));
        }
    }

    private static boolean keeps(ScalableInstance instance, long concurrency) {
        double decoded = instance.setting().outputTokens() - 1;
        return instance.at(concurrency, End.UNFAVORABLE)
                .filter(load ->
                        load.tpotMillis() <= 50 && load.steadyTtftMillis() + decoded * load.tpotMillis() <= 20_000)
                .isPresent();
    }

    private static double rate(ScalableInstance instance, long concurrency) {
        return instance.at(concurrency, End.PREDICTED).map(Load::requestsPerS).orElse(Double.POSITIVE_INFINITY);
    }
}
