package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.load.BestConcurrency.Found;
import io.throughputoptimizer.core.load.BestConcurrency.Preference;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.CpuTime;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Locale;
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

/// Time of calibrated passes, of the steady law, of searches on it and of simulations, on one thread.
///
/// `./mvnw -q process-test-classes exec:exec -Dbenchmark=BenchmarkSteady`; processor time of the models with newer
/// attention with `-Dbenchmark.main=io.throughputoptimizer.core.load.BenchmarkSteady -Dbenchmark='.*'`
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class BenchmarkSteady {
    private static final Traffic TRAFFIC = new Traffic(new SpreadLengths(1024, 1024, 0.8), 0, 10, 0, null);
    private static final ServingRank RANK = rank(4);
    private static final SteadyLaw LAW = new SteadyLaw(RANK, TRAFFIC.mean(), TRAFFIC.waves());

    private static final CalibratedPass STATES = CalibratedPass.of(
            Silicon.deployment("Qwen/Qwen3.5-397B-A17B", "b200_sxm", "sglang", Scheme.FP8_BLOCK, 8, 1, 8));
    private static final CalibratedPass COMPRESSED = CalibratedPass.of(
            Silicon.deployment("deepseek-ai/DeepSeek-V4-Pro", "b200_sxm", "sglang", Scheme.FP8_MXFP4, 8, 1, 8));

    /// Tensor parallel over 1, 2, 4 and 8 devices, each twice.
    private static final List<ServingRank> RANKS =
            IntStream.range(0, 8).mapToObj(index -> rank(1 << (index / 2))).toList();

    /// Qwen3-32B in FP8 on H100_SXM, as vLLM serves it.
    private static ServingRank rank(int tp) {
        CalibratedDeployment deployment =
                Silicon.deployment("Qwen/Qwen3-32B", "h100_sxm", "vllm", Scheme.FP8, tp, 1, 1);
        return new ServingRank(CalibratedPass.of(deployment), room(deployment), Ranks.MIXED, CacheUse.TOKENS);
    }

    private static double room(CalibratedDeployment deployment) {
        return new RankLimits(null, Scheduling.NO_LIMIT, 1)
                .of(deployment, Phase.AGGREGATION, new SpreadLengths(1000, 300, 1))
                .cacheTokens();
    }

    @Benchmark
    public double pass() {
        return RANK.step().decode(64, 64 * 1400);
    }

    @Benchmark
    public double passOfStates() {
        return STATES.decode(64, 64 * 1400);
    }

    @Benchmark
    public double passOfCompressed() {
        return COMPRESSED.decode(64, 64 * 1400);
    }

    @Benchmark
    public LawOutcome law() {
        return LAW.at(64);
    }

    @Benchmark
    public List<Found> search() {
        return search(null);
    }

    @Benchmark
    public List<Found> searchByPercentile() {
        return search(99.0);
    }

    private static List<Found> search(@Nullable Double percentile) {
        return search(RANKS, percentile);
    }

    private static List<Found> search(List<ServingRank> ranks, @Nullable Double percentile) {
        Limits limits = new Limits(5000.0, 50.0, TtftBasis.BENCHMARK, percentile);
        return ranks.stream()
                .map(rank -> new BestConcurrency(
                                ConcurrencySampling.EVERY_SUMMIT,
                                Preference.MOST_TOKENS,
                                new SteadyLaw(rank, TRAFFIC.mean(), TRAFFIC.waves())::at,
                                new RankCheck(TRAFFIC, limits, rank, 1, () -> {}),
                                _ -> true)
                        .search(
                                1,
                                RankBatches.unaskedOfOne(rank, TRAFFIC.mean(), 1024)
                                        .most(),
                                percentile == null))
                .toList();
    }

    @Benchmark
    public SimulationResult simulation64() {
        return simulate(64);
    }

    @Benchmark
    public SimulationResult simulation512() {
        return simulate(512);
    }

    private static SimulationResult simulate(int concurrency) {
        return ServingSimulation.run(RANK, TRAFFIC.closedLoop(concurrency, TtftBasis.BENCHMARK), () -> {});
    }

    /// A model that benchmarks of record run, in its published scheme on 8 or 16 B200_SXM with SGLang.
    private enum Newer {
        QWEN("Qwen/Qwen3.5-397B-A17B", Scheme.FP8_BLOCK, 8),
        GLM("zai-org/GLM-5", Scheme.FP8_BLOCK, 8),
        DEEPSEEK("deepseek-ai/DeepSeek-V4-Flash", Scheme.FP8_MXFP4, 8),
        DEEPSEEK_PRO("deepseek-ai/DeepSeek-V4-Pro", Scheme.FP8_MXFP4, 8),
        MINIMAX("MiniMaxAI/MiniMax-M3", Scheme.FP8_BLOCK, 8),
        KIMI("moonshotai/Kimi-K3", Scheme.MXFP4_EXPERTS, 16),
        GPT_OSS("openai/gpt-oss-120b", Scheme.MXFP4_EXPERTS, 8);

        private final String model;
        private final Scheme scheme;
        private final int devices;

        Newer(String model, Scheme scheme, int devices) {
            this.model = model;
            this.scheme = scheme;
            this.devices = devices;
        }

        /// Four tensor parallel sizes with attention data parallelism over the rest, experts in the manner of either: 8
        /// candidates, of which those remain that a device can hold.
        private List<ServingRank> ranks() {
            return IntStream.range(0, 8)
                    .mapToObj(index -> deployment(devices >> (index / 2), index % 2 == 0 ? 1 : devices))
                    .filter(deployment -> deployment.obstacle().isEmpty())
                    .filter(deployment -> room(deployment) > 0)
                    .map(deployment -> new ServingRank(
                            CalibratedPass.of(deployment), room(deployment), Ranks.MIXED, CacheUse.TOKENS))
                    .toList();
        }

        private CalibratedDeployment deployment(int tp, int ep) {
            return Silicon.deployment(model, "b200_sxm", "sglang", scheme, tp, devices / tp, ep);
        }
    }

    /// Prints microseconds of a pass and of a search.
    public static void main(String[] arguments) {
        for (Newer newer : Newer.values()) {
            if (newer.model.matches(arguments[0])) {
                List<ServingRank> ranks = newer.ranks();
                CalibratedPass pass = CalibratedPass.of(newer.deployment(newer.devices, newer.devices));
                System.out.printf(
                        Locale.ROOT,
                        "%-32s pass %.2f us, search of %d candidates %.0f us%n",
                        newer.model,
                        CpuTime.leastMicros(1000, () -> pass.decode(64, 64 * 1400)),
                        ranks.size(),
                        CpuTime.leastMicros(10, () -> search(ranks, null)));
            }
        }
    }
}
