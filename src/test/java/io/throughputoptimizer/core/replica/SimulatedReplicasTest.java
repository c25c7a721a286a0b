package io.throughputoptimizer.core.replica;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.load.CacheUse;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.replica.SimulatedDeployment.Outcome;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.CacheOfVectors;
import io.throughputoptimizer.fixture.Silicon;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedReplicasTest {
    private static final CalibratedDeployment DENSE =
            Silicon.deployment("Qwen/Qwen3-32B", "h100_sxm", "vllm", Scheme.FP8, 4, 1, 1);

    @Test
    void replicasShareARateEvenly() {
        SimulationResult one = run(open(DENSE, 1, 1.5)).result();
        SimulationResult three = run(open(DENSE, 3, 4.5)).result();

        assertThat(three.ttft().mean()).isCloseTo(one.ttft().mean(), withinPercentage(1e-9));
        assertThat(open(DENSE, 3, 4.5).highestRatePerSecond())
                .isCloseTo(3 * open(DENSE, 1, 1.5).highestRatePerSecond(), withinPercentage(1e-9));
    }

    @Test
    void anOrdinaryLoadHasNoFlags() {
        assertThat(run(closed(DENSE, 32, 10)).bands().flags()).isEmpty();
        assertThat(run(open(DENSE, 1, 1.5)).bands().flags()).isEmpty();
    }

    @Test
    void fewWavesAndAFullCacheAreFlagged() {
        assertThat(run(closed(DENSE, 32, 2)).bands().flags()).containsExactly(Flag.ONE_WAVE);
        int most = (int) closed(DENSE, 1, 10).capacity();
        assertThat(run(closed(DENSE, most, 3)).bands().flags()).contains(Flag.CAPACITY);
    }

    @Test
    void requestsOfAnOpenLoopThatNearlyFillTheCacheAreFlagged() {
        CalibratedRank.Limits small = new CalibratedRank.Limits(20_000, Scheduling.NO_LIMIT, 1, CacheUse.TOKENS, null);
        Traffic busy = traffic(10, new Traffic.Rate(7, 300, 1));

        assertThat(run(new SimulatedReplicas(DENSE, small, 1, busy, 1, TtftBasis.BENCHMARK))
                        .bands()
                        .flags())
                .containsExactly(Flag.CAPACITY);
    }

    @Test
    void onAscendItIsSimulatedWithAndWithoutLaunches() {
        CalibratedDeployment ascend =
                Silicon.deployment("Qwen/Qwen3-32B", "ascend_910b", "vllm-ascend", Scheme.W8A8, 4, 1, 1);
        Outcome outcome = run(closed(ascend, 16, 5));

        assertThat(requireNonNull(outcome.captured()).ttft().mean())
                .isLessThan(outcome.result().ttft().mean());
        assertThat(outcome.bands().flags()).contains(Flag.UNCALIBRATED);
        assertThat(run(closed(DENSE, 16, 5)).captured()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"16, 64", "200, 64", "200, 256", "8192, 8", "64, 512"})
    void itTakesFewerStepsThanForetold(int budget, int concurrency) {
        SimulatedReplicas simulated = closed(withBudget(budget), concurrency, 4);

        SimulationResult result = run(simulated).result();
        assertThat((double) result.effort().evaluations()).isLessThan(2 * simulated.mostSteps());
    }

    @Test
    void itCanBeEndedFromOutside() {
        AtomicLong checks = new AtomicLong();
        closed(withBudget(16), 64, 4).run(Coverage.NINE_TENTHS, checks::incrementAndGet);

        assertThat(checks.get()).isGreaterThan(10);
    }

    private static Outcome run(SimulatedReplicas simulated) {
        return simulated.run(Coverage.NINE_TENTHS, () -> {});
    }

    private static SimulatedReplicas closed(CalibratedDeployment deployment, int concurrency, double waves) {
        return simulated(deployment, 1, traffic(waves, null), concurrency);
    }

    private static SimulatedReplicas open(CalibratedDeployment deployment, int replicas, double rate) {
        return simulated(deployment, replicas, traffic(10, new Traffic.Rate(rate, 300, 1)), 1);
    }

    private static Traffic traffic(double waves, Traffic.@Nullable Rate rate) {
        return new Traffic(new SpreadLengths(1000, 300, 0.8), 0, waves, 0, rate);
    }

    private static SimulatedReplicas simulated(
            CalibratedDeployment deployment, int replicas, Traffic traffic, int concurrency) {
        double cache = CacheOfVectors.tokens(deployment);
        return new SimulatedReplicas(
                deployment,
                new CalibratedRank.Limits(cache, Scheduling.NO_LIMIT, 1, CacheUse.TOKENS, null),
                replicas,
                traffic,
                concurrency,
                TtftBasis.BENCHMARK);
    }

    private static CalibratedDeployment withBudget(int tokens) {
        return new CalibratedDeployment(
                DENSE.model(),
                DENSE.calibration(),
                DENSE.layout(),
                DENSE.engine().withTokenBudget(tokens),
                DENSE.precision());
    }
}
