package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.workload.ServiceObjective;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Time of a whole aggregation search on one thread and without a cache, Qwen3-32B on 8 TEST_DEVICE, and how many
/// points and forward passes it evaluates.
///
/// `./mvnw -q test-compile exec:exec -Dbenchmark=BenchmarkSearch`
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class BenchmarkSearch {
    private static final ServiceObjective OBJECTIVE = new ServiceObjective(null, 50.0);
    private static final CatalogProblem MODEL = new CatalogProblem("Qwen/Qwen3-32B", "TEST_DEVICE", 8);

    private final Optimizer optimizer = new Optimizer(new AnalyticForwardEstimator());

    /// What one search evaluates.
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Counters {
        public long points;
        public long forwardPasses;

        @Setup(Level.Iteration)
        public void reset() {
            points = 0;
            forwardPasses = 0;
        }

        private OptimizationResult count(OptimizationResult result) {
            points = result.statistics().points();
            forwardPasses = result.statistics().forwardPasses();
            return result;
        }
    }

    /// Prompts of one chunk: the wave formula.
    @Benchmark
    public OptimizationResult plain(Counters counters) {
        return counters.count(optimizer.optimize(MODEL.aggregated(3500, 1500, OBJECTIVE), SearchMonitor.SILENT));
    }

    /// Prompts of three chunks: a simulation of more than 1500 steps for each point.
    @Benchmark
    public OptimizationResult chunked(Counters counters) {
        return counters.count(optimizer.optimize(MODEL.aggregated(20_000, 1500, OBJECTIVE), SearchMonitor.SILENT));
    }
}
