package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedOptimizer;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.calibrated.CalibratedResult;
import io.throughputoptimizer.core.calibrated.CalibratedSizes;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Time to learn from rows of a benchmark, and of searches with and without them, on one thread.
///
/// `./mvnw -q process-test-classes exec:exec -Dbenchmark=BenchmarkFeedback`
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class BenchmarkFeedback {
    private static final ModelArchitecture MODEL = Silicon.model("Qwen/Qwen3-32B");

    /// In FP8 on H100_SXM, as vLLM serves it.
    private static final CalibratedDevice DEVICE = new CalibratedDevice(
            "H100_SXM",
            Silicon.calibration("h100_sxm"),
            Silicon.engine("vllm"),
            Precision.of(Scheme.FP8),
            new RankLimits(null, Scheduling.NO_LIMIT, 1),
            null);

    private static final Server SERVER = DEVICE.serving(MODEL);
    private static final List<ServedRow> TEN = rows(10);
    private static final List<ServedRow> FIFTY = rows(50);
    private static final CalibrationPosterior LEARNT = SERVER.learn(TEN);

    /// Of all layouts and many concurrencies, each a little slower than predicted.
    private static List<ServedRow> rows(int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> {
                    ServedRow row = row(1 << index % 4, 4 + 3 * index, null, null);
                    Prediction plain = SERVER.predict(row, Coverage.NINE_TENTHS);
                    return row(
                            row.layout().tp(), row.concurrency(), plain.tpotMillis() + 0.5, 1.1 * plain.ttftMillis());
                })
                .toList();
    }

    private static ServedRow row(int tp, int concurrency, @Nullable Double tpot, @Nullable Double ttft) {
        return new ServedRow(
                CalibratedDeployment.layout(MODEL, tp, 1, 1),
                concurrency,
                new SpreadLengths(3500, 1500, 1),
                10,
                tpot,
                ttft);
    }

    private static CalibratedResult search(CalibratedDevice device) {
        return CalibratedOptimizer.optimize(
                new CalibratedProblem(
                        MODEL,
                        List.of(device),
                        AvailableDevices.ofEach(8),
                        null,
                        new CalibratedSizes(List.of(), null, null),
                        new CalibratedDemand(
                                new Traffic(new SpreadLengths(3500, 1500, 1), 10, 0, null, false),
                                new Limits(1000.0, 30.0, TtftBasis.BENCHMARK, null),
                                null,
                                false,
                                null),
                        Coverage.NINE_TENTHS,
                        ConcurrencySampling.EVERY_SUMMIT),
                new SearchMonitor() {});
    }

    @Benchmark
    public CalibrationPosterior learnFiftyRows() {
        return SERVER.learn(FIFTY);
    }

    @Benchmark
    public CalibratedResult searchWithoutRows() {
        return search(DEVICE);
    }

    @Benchmark
    public CalibratedResult searchWithTenRows() {
        return search(DEVICE.with(LEARNT));
    }

    /// CPU time of the quickest of some rounds, in microseconds.
    public static void main(String[] arguments) {
        BenchmarkFeedback benchmark = new BenchmarkFeedback();
        print("learn 50 rows", benchmark::learnFiftyRows);
        print("search without rows", benchmark::searchWithoutRows);
        print("search with 10 rows", benchmark::searchWithTenRows);
        System.out.println("concurrencies: " + benchmark.searchWithoutRows().points() + " without, "
                + benchmark.searchWithTenRows().points() + " with rows");
    }

    private static void print(String name, Runnable work) {
        var threads = java.lang.management.ManagementFactory.getThreadMXBean();
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 40; round++) {
            long start = threads.getCurrentThreadCpuTime();
            for (int time = 0; time < 20; time++) {
                work.run();
            }
            best = Math.min(best, (threads.getCurrentThreadCpuTime() - start) / 20);
        }
        System.out.printf("%s: %.1f us%n", name, best / 1e3);
    }
}
