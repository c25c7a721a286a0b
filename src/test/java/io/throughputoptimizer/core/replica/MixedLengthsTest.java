package io.throughputoptimizer.core.replica;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.load.CacheUse;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.MixedLengths;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.load.ServingRank;
import io.throughputoptimizer.core.load.ServingSimulation;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.SteadyLaw;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.workload.LengthShare;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Silicon;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The law over requests of several lengths against one simulated request after the other, on kernels as measured.
class MixedLengthsTest {
    private static final int MIXES = 40;
    private static final double WAVES = 100;
    /// Up to here prompts hardly wait for each other, and the law's queue is that of the simulation.
    private static final double LITTLE_UTILISATION = 0.25;

    private static final List<CalibratedDeployment> SERVERS = List.of(
            Silicon.deployment("Qwen/Qwen3-32B", "h100_sxm", "vllm", Scheme.FP8, 4, 1, 1),
            Silicon.deployment("Qwen/Qwen3-32B", "h100_sxm", "sglang", Scheme.FP8, 4, 1, 1),
            Silicon.deployment("Qwen/Qwen3-32B", "h100_sxm", "trtllm", Scheme.FP8, 2, 1, 1),
            Silicon.deployment("Qwen/Qwen3-235B-A22B", "h200_sxm", "vllm", Scheme.FP8, 8, 1, 8));

    /// A server with a mix, and what both say of it.
    private record Compared(SteadyFigures law, SimulationResult simulated) {
        private double utilisation() {
            return law.steps().utilisation();
        }

        private double tpotError() {
            return law.tpotMillis() / requireNonNull(simulated.generation()).meanGapMillis() - 1;
        }

        private double ttftError() {
            return law.ttft().benchmarkMillis() / simulated.ttft().mean() - 1;
        }

        private double ttftErrorWithoutQueue() {
            double queue = (1 - 1 / WAVES) * law.steps().queueMillis();
            return (law.ttft().benchmarkMillis() - queue) / simulated.ttft().mean() - 1;
        }

        /// With the wait of simulated clients in the place of the law's.
        private double ttftErrorOfWhoAskAtOnce() {
            double wait = law.waitOfWhoAskAtOnceMillis() - law.steps().queueMillis();
            return (law.ttft().benchmarkMillis() + (1 - 1 / WAVES) * wait)
                            / simulated.ttft().mean()
                    - 1;
        }
    }

    private static List<Compared> compared() {
        return IntStream.rangeClosed(1, MIXES)
                .mapToObj(MixedLengthsTest::compared)
                .toList();
    }

    private static Compared compared(int seed) {
        Random random = new Random(seed);
        CalibratedDeployment server = SERVERS.get(random.nextInt(SERVERS.size()));
        List<LengthShare> inputs = shares(random, 16_000);
        List<LengthShare> outputs = shares(random, 4_000);
        int concurrency = (int) Math.pow(2, 7 * random.nextDouble());
        ServingRank rank = CalibratedRank.of(
                server,
                new CalibratedRank.Limits(Double.POSITIVE_INFINITY, Scheduling.NO_LIMIT, 1, CacheUse.TOKENS, null));
        RequestLengths lengths = new MixedLengths(
                inputs, outputs, inputs.getLast().tokens(), outputs.getLast().tokens());
        Traffic traffic = new Traffic(lengths, 0, WAVES, 0, null);
        return new Compared(
                (SteadyFigures) new SteadyLaw(rank, traffic.mean(), WAVES).at(concurrency),
                ServingSimulation.run(rank, traffic.closedLoop(concurrency, TtftBasis.BENCHMARK), () -> {}));
    }

    /// 4 to 32 lengths of random shares, around a random middle.
    private static List<LengthShare> shares(Random random, int longest) {
        int count = 4 + random.nextInt(29);
        double middle = Math.log(longest / 30.0 * Math.pow(10, random.nextDouble()));
        double deviation = 0.3 + 0.9 * random.nextDouble();
        Map<Integer, Double> weights = new TreeMap<>();
        for (int one = 0; one < count; one++) {
            double tokens = Math.exp(middle + deviation * random.nextGaussian());
            weights.merge((int) Math.clamp(tokens, 8, longest), 0.1 + random.nextDouble(), Double::sum);
        }
        double sum = weights.values().stream().mapToDouble(weight -> weight).sum();
        List<LengthShare> shares = new ArrayList<>();
        weights.forEach((tokens, weight) -> shares.add(new LengthShare(tokens, weight / sum)));
        return shares;
    }

    @Test
    void theTimeBetweenTokensIsThatOfASimulation() {
        assertThat(compared()).allSatisfy(one -> assertThat(one.tpotError()).isBetween(-0.02, 0.02));
    }

    /// Above that simulated clients, who ask anew at the very end of a step, wait for no step; the law has them come at
    /// any time, as requests do that travel.
    @Test
    void theTimeToTheFirstTokenIsThatOfASimulationWherePromptsHardlyWait() {
        List<Compared> all = compared();
        assertThat(all.stream().filter(one -> one.utilisation() <= LITTLE_UTILISATION))
                .hasSizeGreaterThan(MIXES / 2)
                .allSatisfy(one -> assertThat(one.ttftError()).isBetween(-0.1, 0.1));
        assertThat(all.stream().filter(one -> one.utilisation() > LITTLE_UTILISATION))
                .isNotEmpty()
                .allSatisfy(one -> {
                    assertThat(one.ttftError()).isGreaterThan(-0.1);
                    assertThat(one.ttftErrorWithoutQueue()).isLessThan(0.1);
                });
        assertThat(all)
                .allSatisfy(one -> assertThat(one.ttftErrorOfWhoAskAtOnce()).isBetween(-0.07, 0.07));
    }

    /// The mean length alone is not enough: requests that answer much stay long, and so are most of those that decode.
    @Test
    void longAnswersHoldMostOfTheBatch() {
        MeanRequest mean = new MixedLengths(
                        List.of(new LengthShare(1000, 1)),
                        List.of(new LengthShare(100, 0.9), new LengthShare(2000, 0.1)),
                        1000,
                        2000)
                .mean(0);

        assertThat(mean.outputTokens()).isCloseTo(290, withinPercentage(1e-9));
        double held = (0.9 * 100 * 100 + 0.1 * 2000 * 2000) / 290;
        assertThat(mean.halfwayTokens()).isCloseTo(1000 + held / 2, withinPercentage(1e-9));
        assertThat(mean.cachedTokens()).isCloseTo(1000 + 0.75 * held, withinPercentage(1e-9));
    }

    @Test
    void promptsCostTheMeanOfEachAndTheirPairsGrowWithTheSquare() {
        MeanRequest mean = new MixedLengths(
                        List.of(new LengthShare(100, 0.5), new LengthShare(900, 0.5)),
                        List.of(new LengthShare(10, 1)),
                        900,
                        10)
                .mean(0.5);

        assertThat(mean.newTokens()).isCloseTo(250, withinPercentage(1e-9));
        assertThat(mean.pairs()).isCloseTo(0.75 * (100 * 100 + 900 * 900) / 4, withinPercentage(1e-9));
        assertThat(mean.prompts((tokens, _) -> tokens).millis()).isCloseTo(250, withinPercentage(1e-9));
        assertThat(mean.prompts((tokens, _) -> tokens).unevenness())
                .isCloseTo((50 * 50 + 450 * 450) / 2.0 / (250 * 250), withinPercentage(1e-9));
    }

    /// Of 2,000 requests each length has its share within one in a hundred, and inputs say nothing about outputs.
    @Test
    void requestsHaveLengthsByTheirShares() {
        MixedLengths lengths = new MixedLengths(
                List.of(new LengthShare(100, 0.25), new LengthShare(900, 0.75)),
                List.of(new LengthShare(10, 0.6), new LengthShare(20, 0.4)),
                900,
                20);

        assertThat(shareOf(lengths, 100, 10)).isBetween(0.14, 0.16);
        assertThat(shareOf(lengths, 100, 20)).isBetween(0.09, 0.11);
        assertThat(shareOf(lengths, 900, 10)).isBetween(0.44, 0.46);
    }

    private static double shareOf(MixedLengths lengths, int input, int output) {
        return IntStream.range(0, 2000)
                        .filter(one -> lengths.input(one) == input && lengths.output(one) == output)
                        .count()
                / 2000.0;
    }
}
