package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedOptimizer;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.calibrated.CalibratedResult;
import io.throughputoptimizer.core.calibrated.CalibratedSizes;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Time of searches and of a capacity on measured devices on one thread and on two: DeepSeek-R1 on B200_SXM. Those of
/// percentiles simulate each concurrency that they try, so that tasks take milliseconds instead of microseconds.
///
/// `./mvnw -q process-test-classes exec:exec -Dbenchmark=BenchmarkSideBySide`
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class BenchmarkSideBySide {
    private final ExecutorService helpers = Executors.newFixedThreadPool(2);

    @Param({"1", "2"})
    public int threads;

    @TearDown
    public void end() {
        helpers.shutdown();
    }

    @Benchmark
    public CalibratedResult replicas() {
        return CalibratedOptimizer.optimize(problem(16, null, null), SearchMonitor.SILENT, workers());
    }

    @Benchmark
    public CalibratedResult percentiles() {
        return CalibratedOptimizer.optimize(problem(16, null, 99.0), SearchMonitor.SILENT, workers());
    }

    @Benchmark
    public CalibratedResult pairs() {
        return CalibratedOptimizer.optimize(problem(32, Pairing.of(8, 16), null), SearchMonitor.SILENT, workers());
    }

    @Benchmark
    public CapacityResult capacity() {
        return capacity(null);
    }

    @Benchmark
    public CapacityResult capacityOfPercentiles() {
        return capacity(99.0);
    }

    private CapacityResult capacity(@Nullable Double percentile) {
        return CalibratedCapacityOptimizer.optimize(
                new CalibratedCapacityProblem(
                        problem(64, null, percentile),
                        List.of(8, 16, 32),
                        new Requirement(Unit.REQUESTS_PER_S, 20, 0.2, 1_000),
                        Map.of(),
                        null),
                SearchMonitor.SILENT,
                MemoryBudget.unlimited(),
                workers());
    }

    private Workers workers() {
        return new Workers(helpers, threads);
    }

    private static CalibratedProblem problem(int devices, @Nullable Pairing instances, @Nullable Double percentile) {
        return new CalibratedProblem(
                Silicon.model("deepseek-ai/DeepSeek-R1"),
                List.of(new CalibratedDevice(
                        "B200_SXM",
                        Silicon.calibration("b200_sxm"),
                        Silicon.engine("vllm"),
                        Precision.of(Scheme.FP8_BLOCK),
                        new RankLimits(null, Scheduling.NO_LIMIT, 1),
                        null)),
                AvailableDevices.ofEach(devices),
                instances,
                new CalibratedSizes(List.of(), null, null),
                new CalibratedDemand(
                        new Traffic(new SpreadLengths(4000, 1000, 1), 0, 10, 0, null),
                        new Limits(5_000.0, 50.0, TtftBasis.BENCHMARK, percentile),
                        null,
                        false,
                        null),
                Coverage.NINE_TENTHS,
                ConcurrencySampling.EVERY_SUMMIT);
    }
}
