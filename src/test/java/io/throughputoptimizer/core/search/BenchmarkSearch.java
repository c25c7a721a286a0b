package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.workload.ServiceObjective;
import java.util.concurrent.TimeUnit;
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

/// Time of a whole aggregation search on one thread and without a cache, Qwen3-32B on 8 TEST_DEVICE with a TPOT limit
/// of 50 ms; prints how many points and forward passes it evaluates.
///
/// `./mvnw -q process-test-classes exec:exec -Dbenchmark=BenchmarkSearch`
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class BenchmarkSearch {
    private static final int OUTPUT_TOKENS = 1500;
    private static final ServiceObjective OBJECTIVE = new ServiceObjective(null, 50.0);

    /// 3500 tokens are one chunk, so the wave formula prices a point; 20000 are three, so it takes a simulation of
    /// more than 1500 steps.
    @Param({"3500", "20000"})
    public int inputTokens;

    private final Optimizer optimizer = new Optimizer(new AnalyticForwardEstimator());

    @Setup(Level.Trial)
    public void countPoints() {
        System.out.println(aggregation().statistics());
    }

    @Benchmark
    public OptimizationResult aggregation() {
        OptimizationProblem problem = new CatalogProblem("Qwen/Qwen3-32B", "TEST_DEVICE", 8)
                .aggregated(inputTokens, OUTPUT_TOKENS, OBJECTIVE);
        return optimizer.optimize(problem, SearchMonitor.SILENT);
    }
}
