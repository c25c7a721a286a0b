package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Time of one forward estimate, Qwen3-32B at TP 8 on TEST_DEVICE.
///
/// `./mvnw -q process-test-classes exec:exec -Dbenchmark=BenchmarkForwardEstimate`
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class BenchmarkForwardEstimate {
    @Param({"true", "false"})
    public boolean compiled;

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();
    private long concurrency;

    @Benchmark
    public ForwardEstimate decode() {
        concurrency = concurrency % 500 + 1;
        return estimator.estimate(deployment(), new ForwardShape.Uniform(concurrency, Request.decode(1, 4251)));
    }

    @Benchmark
    public ForwardEstimate prefill() {
        concurrency = concurrency % 500 + 1;
        return estimator.estimate(deployment(), new ForwardShape.Uniform(concurrency, Request.prefill(3500, 3500)));
    }

    private Deployment deployment() {
        return new Deployment(
                TestDeployments.model("Qwen/Qwen3-32B"),
                TestDeployments.device("TEST_DEVICE"),
                ParallelLayout.dense(8, 1),
                new QuantizationScheme(LinearQuantization.W8A8_DYNAMIC, AttentionQuantization.DISABLED, 32),
                new Deployment.Execution(compiled, 0, 10 * MemoryFootprint.GIB));
    }
}
