package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.CpuTime;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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

/// Time of one forward estimate on TEST_DEVICE, from a plan at hand and with a plan made for it: on 8 devices, or on 32
/// for the large models; tp 8, or as much of it as the heads divide over; each expert on one device.
///
/// `./mvnw -q process-test-classes exec:exec -Dbenchmark=BenchmarkForwardEstimate` measures by the clock; with
/// `-Dbenchmark.main=` and the name of this class, `-Dbenchmark=` and a regular expression on models, by CPU time.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets them up
public class BenchmarkForwardEstimate {
    private static final List<String> LARGE = List.of("deepseek-ai", "zai-org", "MiniMaxAI");
    private static final int PASSES_BETWEEN_LOOKS = 1000;

    @Param({
        "Qwen/Qwen3-32B",
        "Qwen/Qwen3-30B-A3B",
        "deepseek-ai/DeepSeek-V3.1",
        "deepseek-ai/DeepSeek-V3.2",
        "zai-org/GLM-4.7",
        "Qwen/Qwen3.5-27B",
        "Qwen/Qwen3.5-35B-A3B",
        "Qwen/Qwen3-Next-80B-A3B-Instruct",
        "MiniMaxAI/MiniMax-M3",
        "deepseek-ai/DeepSeek-V4-Flash"
    })
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
        int devices = LARGE.stream().anyMatch(model::startsWith) ? 32 : 8;
        deployment = IntStream.of(8, 4, 2)
                .mapToObj(tp -> new Deployment(
                        architecture,
                        TestDeployments.device("TEST_DEVICE"),
                        GoldenDeployments.layout(architecture, tp, devices, devices, 1),
                        GoldenDeployments.quantization("W8A8_DYNAMIC", "DISABLED"),
                        new Execution(true, 0, 10 * MemoryFootprint.GIB, PassAccounting.DOCUMENTED, false, false)))
                .filter(tried -> tried.obstacle().isEmpty())
                .findFirst()
                .orElseThrow();
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

    /// @param arguments a regular expression on the models to measure
    public static void main(String[] arguments) throws NoSuchFieldException {
        Param models = BenchmarkForwardEstimate.class.getField("model").getAnnotation(Param.class);
        for (String model : models.value()) {
            if (model.matches(arguments[0])) {
                BenchmarkForwardEstimate subject = new BenchmarkForwardEstimate();
                subject.model = model;
                subject.layOut();
                System.out.printf(
                        Locale.ROOT,
                        "%-34s tp %d  decode %.2f us  prefill %.2f us  list %.2f us  with plan %.0f us%n",
                        model,
                        subject.deployment.layout().tp(),
                        CpuTime.leastMicros(PASSES_BETWEEN_LOOKS, subject::decode),
                        CpuTime.leastMicros(PASSES_BETWEEN_LOOKS, subject::prefill),
                        CpuTime.leastMicros(PASSES_BETWEEN_LOOKS, subject::mixedLengths),
                        CpuTime.leastMicros(1, subject::planned));
            }
        }
    }
}
