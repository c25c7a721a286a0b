package io.throughputoptimizer.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedOptimizer;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.calibrated.CalibratedResult;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Found;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.calibrated.CalibratedSizes;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.Limit;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.load.TtftSimulations;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Searches of explanations whose TTFT is simulated.
class CrowdedStepsTest {
    private static final double TTFT_MILLIS = 2000;
    private static final Optimizer OPTIMIZER = new Optimizer(new AnalyticForwardEstimator());

    @Test
    void searchesThatShareSimulationsFindThePlansOfSearchesAlone() {
        AtomicLong steps = new AtomicLong();
        TtftSimulations shared = new TtftSimulations(steps::addAndGet);
        int feasible = 0;
        for (double tpot : List.of(1000.0, 40.0, 20.0)) {
            for (double ttft : List.of(20_000.0, TTFT_MILLIS, 500.0, 200.0, 1.0)) {
                CalibratedProblem problem = problem(new Limits(ttft, tpot, TtftBasis.BENCHMARK, null));
                CalibratedResult alone = CalibratedOptimizer.optimize(problem, SearchMonitor.SILENT);
                CalibratedResult plans =
                        CalibratedOptimizer.plans(problem, SearchMonitor.SILENT, Workers.ALONE, shared);
                assertThat(points(plans)).as("TTFT %s, TPOT %s", ttft, tpot).isEqualTo(points(alone));
                assertThat(found(plans).rejections()).isEqualTo(found(alone).rejections());
                assertThat(plans.points()).isEqualTo(alone.points());
                feasible += points(plans).isEmpty() ? 0 : 1;
            }
        }
        assertThat(feasible).isBetween(4, 14);
        assertThat(steps).hasPositiveValue();
    }

    @Test
    void leversAreLeftOutOnceTheirSimulatedStepsAreSpent() {
        ExplanationSearch ample = spending(Long.MAX_VALUE);
        Optional<Plan> plan = searched(Limit.TTFT_LIMIT, ample);
        long taken = ample.simulatedSteps();
        assertThat(plan).isPresent();
        assertThat(taken).isPositive();

        ExplanationSearch enough = spending(taken + 1);
        assertThat(searched(Limit.TTFT_LIMIT, enough)).isEqualTo(plan);
        assertThat(searched(Limit.TPOT_LIMIT, enough)).as("simulated before").isEqualTo(plan);
        assertThat(enough.leftOut()).isEmpty();

        ExplanationSearch small = spending(taken);
        assertThat(searched(Limit.TTFT_LIMIT, small)).isEmpty();
        assertThat(small.affords(Choice.INPUT_LENGTH)).isFalse();
        assertThat(small.leftOut()).containsExactly(Limit.TTFT_LIMIT, Choice.INPUT_LENGTH);
        assertThat(small.simulatedSteps()).isEqualTo(taken);
        assertThat(small.affords(Choice.INPUT_LENGTH)).as("of the next device").isTrue();
    }

    @Test
    void sensitivitiesEndWithTheStepsAndNameTheRest() {
        Plan plan = searched(Limit.TTFT_LIMIT, spending(Long.MAX_VALUE)).orElseThrow();
        ExplanationSearch small = spending(1000);
        assertThat(Sensitivity.of(question(), plan, small))
                .extracting(one -> one.change().lever())
                .doesNotContain(Choice.DEVICE_COUNT);
        assertThat(small.leftOut()).contains(Choice.LINEAR_QUANTIZATION, Choice.DEVICE_COUNT);
        assertThat(question().spent()).isEqualTo("50000000 steps were simulated");
    }

    private static ExplanationSearch spending(long mostSteps) {
        return new ExplanationSearch(OPTIMIZER, SearchMonitor.SILENT, mostSteps);
    }

    private static Optional<Plan> searched(Lever lever, ExplanationSearch inquiry) {
        return inquiry.whole(List.of(lever), () -> inquiry.best(question()));
    }

    private static List<CalibratedPoint> points(CalibratedResult result) {
        return found(result).rows().stream().map(CalibratedRow::at).toList();
    }

    private static Found found(CalibratedResult result) {
        return result.devices().getFirst().found();
    }

    private static CalibratedQuestion question() {
        return new CalibratedQuestion(
                problem(new Limits(TTFT_MILLIS, (@Nullable Double) null, TtftBasis.BENCHMARK, null)),
                8,
                new CalibratedAlternatives(Map.of(), false, List.of()));
    }

    /// Returns a search whose responses are so short that most steps read prompts.
    private static CalibratedProblem problem(Limits limits) {
        return new CalibratedProblem(
                Silicon.model("Qwen/Qwen3-32B"),
                List.of(new CalibratedDevice(
                        "B200_SXM",
                        Silicon.calibration("b200_sxm"),
                        Silicon.engine("vllm"),
                        Precision.of(Scheme.FP8_BLOCK),
                        new RankLimits(null, Scheduling.NO_LIMIT, 1),
                        null)),
                AvailableDevices.ofEach(2),
                null,
                new CalibratedSizes(List.of(), null, null),
                new CalibratedDemand(
                        new Traffic(new SpreadLengths(1000, 32, 0.8), 0, 10, 0, null),
                        limits,
                        new RankBatches(1, 128),
                        false,
                        null),
                Coverage.NINE_TENTHS,
                ConcurrencySampling.EVERY_SUMMIT);
    }
}
