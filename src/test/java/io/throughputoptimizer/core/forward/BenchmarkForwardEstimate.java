package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Time of one forward estimate on TEST_DEVICE, from a plan at hand and with a plan made for it: Qwen3-32B on 8
/// devices, Qwen3-30B-A3B on 8, DeepSeek-V3.1 and V3.2 on 32, tp 8, each expert on one device.
///
/// `./mvnw -q process-test-classes exec:exec -Dbenchmark=BenchmarkForwardEstimate`
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets them up
public class BenchmarkForwardEstimate {
    @Param({"Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B", "deepseek-ai/DeepSeek-V3.1", "deepseek-ai/DeepSeek-V3.2"})
    public String model;

    private final ForwardShape mixed = new ForwardShape.RequestList(LongStream.rangeClosed(1, 8)
            .mapToObj(length -> new ForwardShape.Group(length, Request.prefill(300 * length, 500 * length)))
            .toList());

    private Deployment deployment;
    private PricedPlan plan;
    private long concurrency;

    @Setup
    public void layOut() {
        ModelArchitecture architecture = TestDeployments.model(model);
        int devices = model.startsWith("deepseek") ? 32 : 8;
        deployment = new Deployment(
                architecture,
                TestDeployments.device("TEST_DEVICE"),
                GoldenDeployments.layout(architecture, 8, devices, devices, 1),
                GoldenDeployments.quantization("W8A8_DYNAMIC", "DISABLED"),
                new Deployment.Execution(true, 0, 10 * MemoryFootprint.GIB));
        plan = new AnalyticForwardEstimator().on(deployment);
    }

    @Benchmark
    public ForwardEstimate decode() {
        concurrency = concurrency % 500 + 1;
        return plan.estimate(new ForwardShape.Uniform(concurrency, Request.decode(1, 4251)));
    }

    @Benchmark
    public ForwardEstimate prefill() {
        concurrency = concurrency % 500 + 1;
        return plan.estimate(new ForwardShape.Uniform(concurrency, Request.prefill(3500, 3500)));
    }

    @Benchmark
    public ForwardEstimate mixedLengths() {
        return plan.estimate(mixed);
    }

    @Benchmark
    public ForwardEstimate planned() {
        return new AnalyticForwardEstimator()
                .estimate(deployment, new ForwardShape.Uniform(64, Request.decode(1, 4251)));
    }
}
