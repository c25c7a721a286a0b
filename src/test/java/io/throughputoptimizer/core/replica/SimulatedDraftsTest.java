package io.throughputoptimizer.core.replica;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.kernels.Speculation;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.load.ServingRank;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.SteadyLaw;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Replicas whose steps verify drafts, request by request.
class SimulatedDraftsTest {
    private static final List<CalibratedDeployment> DRAFTING = List.of(
            Silicon.deployment("Qwen/Qwen3.5-397B-A17B", "b200_sxm", "sglang", Scheme.FP8_BLOCK, 4, 1, 1),
            Silicon.deployment("Qwen/Qwen3.5-27B", "h200_sxm", "vllm", Scheme.FP8_BLOCK, 2, 1, 1),
            Silicon.deployment("zai-org/GLM-5", "b300_sxm", "sglang", Scheme.FP8_BLOCK, 8, 1, 1),
            Silicon.deployment("deepseek-ai/DeepSeek-V3", "b200_sxm", "sglang", Scheme.FP8_BLOCK, 8, 1, 8),
            Silicon.deployment("deepseek-ai/DeepSeek-V4-Flash", "b200_sxm", "sglang", Scheme.FP8_MXFP4, 4, 1, 1));

    static LongStream seeds() {
        return Nightly.seeds(3);
    }

    private static CalibratedDeployment deployment(Random random) {
        return DRAFTING.get(random.nextInt(DRAFTING.size()));
    }

    private static Speculation speculation(Random random) {
        int drafts = 1 + random.nextInt(8);
        return new Speculation(drafts, 1 + drafts * random.nextDouble(), random.nextDouble());
    }

    private static SimulatedReplicas simulated(CalibratedDeployment deployment, Traffic traffic, int concurrency) {
        return new SimulatedReplicas(
                deployment,
                new RankLimits(null, Scheduling.NO_LIMIT, 1).of(deployment, Phase.AGGREGATION, traffic.lengths()),
                1,
                traffic,
                concurrency,
                TtftBasis.BENCHMARK);
    }

    private static SimulatedDeployment.Outcome run(SimulatedReplicas simulated) {
        return simulated.run(Coverage.NINE_TENTHS, () -> {});
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noDraftsAreToTheBitWhatDeploymentsWithoutSpeculationDo(long seed) {
        Random random = new Random(seed);
        CalibratedDeployment plain = deployment(random);
        CalibratedDeployment idle = plain.with(new Speculation(0, 1, random.nextDouble()));
        RequestLengths lengths =
                new SpreadLengths(1 + random.nextInt(4000), 1 + random.nextInt(800), 0.1 + 0.9 * random.nextDouble());
        Traffic.@Nullable Rate rate = random.nextBoolean() ? null : new Traffic.Rate(0.3, 300, random.nextLong());
        Traffic traffic =
                new Traffic(lengths, 0, 1 + 9 * random.nextDouble(), 0, rate, rate == null && random.nextBoolean());
        int concurrency = 1 + random.nextInt(64);

        assertThat(run(simulated(idle, traffic, concurrency)))
                .usingRecursiveComparison()
                .isEqualTo(run(simulated(plain, traffic, concurrency)));
        assertThat(law(idle, traffic, concurrency)).isEqualTo(law(plain, traffic, concurrency));
        assertThat(CalibratedPass.of(idle).decodeOperators(concurrency, 1e4))
                .isEqualTo(CalibratedPass.of(plain).decodeOperators(concurrency, 1e4));
    }

    private static SteadyFigures law(CalibratedDeployment deployment, Traffic traffic, int concurrency) {
        ServingRank rank = CalibratedRank.of(
                deployment,
                new RankLimits(null, Scheduling.NO_LIMIT, 1).of(deployment, Phase.AGGREGATION, traffic.lengths()));
        return (SteadyFigures) new SteadyLaw(rank, traffic.mean(), traffic.waves()).at(concurrency);
    }

    /// As of any steps: of ten waves the last one has fewer prompts than the law counts.
    @ParameterizedTest
    @MethodSource("seeds")
    void steadyLawAndSimulationAgreeOnTheTimePerOutputToken(long seed) {
        Random random = new Random(seed);
        CalibratedDeployment deployment = deployment(random).with(speculation(random));
        Traffic traffic = new Traffic(
                new SpreadLengths(500 + random.nextInt(3000), 600 + random.nextInt(1000), 0.8), 0, 10, 0, null);
        int concurrency = 1 << random.nextInt(7);

        SteadyFigures law = law(deployment, traffic, concurrency);
        SimulatedDeployment.Outcome outcome = run(simulated(deployment, traffic, concurrency));

        SimulationResult.Generation generation = requireNonNull(outcome.result().generation());
        double prompts = 1 - law.steps().decodeMillis() / law.tpotMillis();
        assertThat(law.tpotMillis() / generation.tpot().mean()).isBetween(0.95, 1.05 + prompts / traffic.waves());
        assertThat(outcome.bands().flags()).contains(Flag.SPECULATION);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void itTakesFewerStepsThanForetold(long seed) {
        Random random = new Random(seed);
        CalibratedDeployment any = deployment(random);
        CalibratedDeployment deployment = new CalibratedDeployment(
                any.model(),
                any.calibration(),
                any.layout(),
                any.engine().withTokenBudget(64 << random.nextInt(6)),
                any.precision(),
                speculation(random));
        Traffic traffic =
                new Traffic(new SpreadLengths(1 + random.nextInt(1500), 1 + random.nextInt(300), 0.8), 0, 4, 0, null);
        SimulatedReplicas simulated = simulated(deployment, traffic, 1 << random.nextInt(7));

        assertThat((double) run(simulated).result().effort().evaluations()).isLessThan(2 * simulated.mostSteps());
    }
}
