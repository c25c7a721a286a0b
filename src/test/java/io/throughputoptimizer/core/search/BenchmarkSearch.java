package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardPlan;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.CpuTime;
import io.throughputoptimizer.fixture.Relayered;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Time of a whole search on one thread, with plans at hand and with plans made for it; prints how many points and
/// forward passes it evaluates. TEST_DEVICE, aggregation with a TPOT limit of 50 ms.
///
/// `./mvnw -q process-test-classes exec:exec -Dbenchmark=BenchmarkSearch`
///
/// Its `main` measures the CPU time of the thread instead, which other work on the machine disturbs less:
/// `-Dbenchmark.main=io.throughputoptimizer.core.search.BenchmarkSearch`.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets it up
public class BenchmarkSearch {
    private static final String DENSE_MODEL = "Qwen/Qwen3-32B";
    private static final String EXPERTS_MODEL = "Qwen/Qwen3-30B-A3B";
    private static final ParallelSizes TENSOR_SIZES = new ParallelSizes(List.of(1, 2, 4, 8), null, null);
    private static final ParallelSizes ALL_SIZES = new ParallelSizes(List.of(), List.of(), List.of());
    private static final BatchPlan EXPONENTIAL = new BatchPlan(BatchStrategy.EXPONENTIAL, null);

    /// What is searched.
    public enum Subject {
        /// One chunk a prompt: the wave formula prices a point.
        DENSE,
        /// Three chunks a prompt: a simulation of more than 1500 steps prices a point.
        CHUNKED,
        /// Every batch size up to one that no longer fits in memory.
        EXHAUSTIVE,
        /// TP x EP x expert data parallelism on 8 devices.
        EXPERTS,
        /// The same on 32 devices, with latent attention.
        LATENT;

        private OptimizationProblem problem() {
            BatchPlan every = new BatchPlan(BatchStrategy.EXHAUSTIVE, null);
            return switch (this) {
                case DENSE -> dense(8);
                case CHUNKED -> aggregation(DENSE_MODEL, 8, 20_000, TENSOR_SIZES, EXPONENTIAL);
                case EXHAUSTIVE -> aggregation(DENSE_MODEL, 8, 3500, TENSOR_SIZES, every, null);
                case EXPERTS -> aggregation(EXPERTS_MODEL, 8, 3500, ALL_SIZES, EXPONENTIAL);
                case LATENT -> aggregation("deepseek-ai/DeepSeek-V3.1", 32, 3500, ALL_SIZES, EXPONENTIAL);
            };
        }
    }

    @Param
    public Subject subject;

    private final Optimizer planning = new Optimizer(new AnalyticForwardEstimator());
    private Optimizer planned;
    private OptimizationProblem problem;

    @Setup(Level.Trial)
    public void layOut() {
        problem = subject.problem();
        planned = planned();
        System.out.println(withPlans().statistics());
    }

    @Benchmark
    public OptimizationResult withPlans() {
        return planned.optimize(problem, SearchMonitor.SILENT);
    }

    @Benchmark
    public OptimizationResult withoutPlans() {
        return planning.optimize(problem, SearchMonitor.SILENT);
    }

    static Optimizer planned() {
        Map<ForwardPlan.Key, ForwardPlan> plans = new ConcurrentHashMap<>();
        return new Optimizer(new AnalyticForwardEstimator(
                deployment -> plans.computeIfAbsent(ForwardPlan.Key.of(deployment), _ -> new ForwardPlan(deployment))));
    }

    private static OptimizationProblem aggregation(
            String model, int devices, int inputTokens, ParallelSizes sizes, BatchPlan batches) {
        return aggregation(model, devices, inputTokens, sizes, batches, 50.0);
    }

    private static OptimizationProblem aggregation(
            String model,
            int devices,
            int inputTokens,
            ParallelSizes sizes,
            BatchPlan batches,
            @Nullable Double tpotMillis) {
        return new CatalogProblem(model, "TEST_DEVICE", devices)
                .asking(
                        new Demand(
                                new Workload(new Lengths.Fixed(inputTokens), 1500, 0, null),
                                new Limits(null, tpotMillis),
                                false,
                                null),
                        new Search(
                                SearchMode.AGGREGATION,
                                Accounting.DOCUMENTED,
                                CatalogProblem.axes(sizes, TokenBudgetAxis.CHOSEN),
                                batches,
                                null));
    }

    /// @param arguments a regular expression on the subjects to measure
    public static void main(String[] arguments) {
        for (Subject subject : Subject.values()) {
            if (subject.name().matches(arguments[0])) {
                report(subject.name(), subject.problem());
            }
        }
    }

    static OptimizationProblem dense(int devices) {
        return aggregation(DENSE_MODEL, devices, 3500, TENSOR_SIZES, EXPONENTIAL);
    }

    /// Four tensor parallel sizes with each of the expert parallel and expert data parallel sizes; none for all.
    static OptimizationProblem experts(List<Integer> ep, List<Integer> moeDp) {
        return aggregation(EXPERTS_MODEL, 8, 3500, new ParallelSizes(List.of(1, 2, 4, 8), ep, moeDp), EXPONENTIAL);
    }

    static OptimizationProblem points(int count) {
        BatchPlan batches = new BatchPlan(BatchStrategy.EXHAUSTIVE, new BatchRange(1, count));
        return aggregation(DENSE_MODEL, 8, 3500, new ParallelSizes(List.of(8), null, null), batches, null);
    }

    static OptimizationProblem withLayers(OptimizationProblem problem, int layers) {
        ModelArchitecture model = problem.model();
        return new OptimizationProblem(
                Relayered.withLayers(model, layers),
                problem.devices(),
                problem.available(),
                problem.demand(),
                problem.serving(),
                problem.search(),
                false);
    }

    private static void report(String name, OptimizationProblem problem) {
        Optimizer planned = planned();
        OptimizationResult.Statistics statistics =
                planned.optimize(problem, SearchMonitor.SILENT).statistics();
        double warm = leastMicros(planned, problem);
        double cold = leastMicros(new Optimizer(new AnalyticForwardEstimator()), problem);
        System.out.printf(
                Locale.ROOT, "%-12s %10.1f us with plans %10.1f us without  %s%n", name, warm, cold, statistics);
    }

    static double leastMicros(Optimizer optimizer, OptimizationProblem problem) {
        return CpuTime.leastMicros(1, () -> optimizer.optimize(problem, SearchMonitor.SILENT));
    }
}
