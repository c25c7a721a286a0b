package io.throughputoptimizer.core.load;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.load.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.ServingRank.StepTimes;
import io.throughputoptimizer.core.load.SimulationResult.Generation;
import io.throughputoptimizer.core.load.SimulationResult.Interval;
import io.throughputoptimizer.core.load.SimulationResult.Sides;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Nightly;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PairSimulationTest {
    static LongStream seeds() {
        return Nightly.seeds(7);
    }

    /// Decode 10 ms and a prompt token 0.1 ms, one rank of each; the second prompt waits for the first, and its decode
    /// for the end of the step that runs when its cache arrives.
    @Test
    void twoRequestsTakeTheTimesOfTheRules() {
        StepTimes step = new LinearSteps(new LinearSteps.Decode(10, 0, 0), new LinearSteps.Prefill(0, 0.1, 0));
        RecordedLengths two = new RecordedLengths(new int[] {100, 100}, new int[] {3, 3}, List.of(0.0, 1.0));
        SimulationResult result = PairSimulation.run(
                new Workers(Ranks.rank(step, Ranks.MIXED), 1),
                new Workers(Ranks.rank(step, Ranks.MIXED), 1),
                _ -> 4,
                new Traffic(two, 1, 0, null, false).replayed(two, 1),
                () -> {});

        // The first: prompt until 10, cache until 14, steps until 24, 34 and 44.
        // The second: prompt from 10 until 20, cache until 24, steps until 34, 44 and 54.
        assertThat(result.ttft().percentile(0)).isEqualTo(24);
        assertThat(result.ttft().percentile(100)).isEqualTo(33);
        assertThat(result.requestLatency().percentile(0)).isEqualTo(44);
        assertThat(result.requestLatency().percentile(100)).isEqualTo(53);
        assertThat(generation(result).tpot().mean()).isEqualTo(10);
        assertThat(result.span().makespanMillis()).isEqualTo(54);
        assertThat(result.sides()).isEqualTo(new Sides(20.0 / 54, 4.5, 4, 0, 40.0 / 54, 60.0 / 40));
    }

    /// One request at a time waits for nobody: the law with one of them.
    @ParameterizedTest
    @MethodSource("seeds")
    void aloneARequestTakesItsPromptItsTransferAndTheStepsOfOne(long seed) {
        Random random = new Random(seed);
        Workers prefill = new Workers(Ranks.rank(Ranks.random(random), engine(random)), 1 + random.nextInt(3));
        Workers decode = new Workers(Ranks.rank(Ranks.random(random), engine(random)), 1 + random.nextInt(3));
        int input = 1 + random.nextInt(8000);
        int output = 2 + random.nextInt(2000);
        double transfer = random.nextInt(3) == 0 ? 0 : Ranks.between(random, 0, 300);
        SimulationResult result = PairSimulation.run(
                prefill,
                decode,
                _ -> transfer,
                new Traffic(new SpreadLengths(input, output, 1), 5, 0, null, false).closedLoop(1, TtftBasis.BENCHMARK),
                () -> {});

        double prompt = prefill.rank().step().prefill(input, 0.5 * input * input)
                + prefill.rank().engine().stepGapMillis();
        double gap = decode.rank().engine().stepGapMillis();
        double first = decode.rank().step().decode(1, input + 1) + gap;
        double others = decode.rank().step().decode(1, input + (2 + output) / 2.0) + gap;
        double frontend = decode.rank().engine().frontendMillis();
        assertThat(result.ttft().mean()).isCloseTo(prompt + transfer + first + frontend, withinPercentage(1e-9));
        assertThat(result.ttft().p99()).isCloseTo(prompt + transfer + first + frontend, withinPercentage(1e-9));
        assertThat(generation(result).tpot().mean()).isCloseTo(others, withinPercentage(1e-9));
        assertThat(result.requestLatency().mean())
                .isCloseTo(prompt + transfer + first + frontend + (output - 1) * others, withinPercentage(1e-9));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void skippedStepsTakeTheTimeOfStepsOneByOne(long seed) {
        Case one = new Case(new Random(seed));
        List<StepByStepPair.Request> requests = StepByStepPair.run(one.prefill, one.decode, one.transfer, one.load);
        SimulationResult result = one.run();

        double makespan =
                requests.stream().mapToDouble(request -> request.last).max().orElseThrow();
        Offset<Double> exact = within(1e-11 * makespan);
        assertThat(result.span().makespanMillis()).isCloseTo(makespan, exact);
        Distribution ttft = Distribution.of(
                requests.stream().mapToDouble(StepByStepPair.Request::ttft).toArray());
        Distribution whole = Distribution.of(requests.stream()
                .mapToDouble(request -> request.ttft() + request.last - request.first)
                .toArray());
        for (int percent = 0; percent <= 100; percent += 5) {
            assertThat(result.ttft().percentile(percent)).isCloseTo(ttft.percentile(percent), exact);
            assertThat(result.requestLatency().percentile(percent)).isCloseTo(whole.percentile(percent), exact);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noRequestAndNoTokenIsLostAndTheSameSeedSaysTheSame(long seed) {
        Case one = new Case(new Random(seed));
        SimulationResult result = one.run();

        long asked = IntStream.range(0, one.load.requests())
                .mapToLong(one.load.lengths()::output)
                .sum();
        assertThat(result.span().outputTokens()).isEqualTo(asked);
        assertThat(result.effort().requests()).isEqualTo(one.load.requests());
        double seconds = 1e-3;
        assertThat(sum(result, interval -> interval.outputTokensPerSecond() * seconds))
                .isCloseTo(asked, withinPercentage(1e-6));
        // Little's law: a request waits, moves or runs from its sending to its last token.
        assertThat(sum(result, interval -> interval.running() + interval.waiting()))
                .isCloseTo(result.requestLatency().mean() * one.load.requests(), withinPercentage(1e-6));
        assertThat(one.run()).usingRecursiveComparison().isEqualTo(result);
    }

    /// Where decode takes no time, what is left is the queue of a rank that computes one prompt after the other.
    @ParameterizedTest
    @MethodSource("seeds")
    void withDecodeThatTakesNoTimePromptsWaitAsAtARankThatPrefillsAlone(long seed) {
        Random random = new Random(seed);
        StepTimes step = new LinearSteps(
                new LinearSteps.Decode(0, 0, 0),
                new LinearSteps.Prefill(Ranks.between(random, 0, 10), Ranks.between(random, 0.005, 0.15), 1e-7));
        EngineSettings oneAtATime = Ranks.engine(new Scheduling(Policy.MIXED, Scheduling.NO_LIMIT, 1, 1));
        ServingRank rank = Ranks.rank(step, oneAtATime);
        int input = 100 + random.nextInt(4000);
        RequestLengths prompts = new SpreadLengths(input, 1, 0.1);
        double rate = Ranks.between(random, 0.3, 0.95) * 1000 / step.prefill(0.55 * input, 0.2 * input * input);
        SimulatedLoad load = new SimulatedLoad(prompts, 500, 0, new Arrivals.OpenLoop(rate, seed));

        SimulationResult pair = PairSimulation.run(
                new Workers(rank, 1), new Workers(rank, 3), PairSimulationTest::atOnce, load, () -> {});
        SimulationResult alone = ServingSimulation.run(rank, load, () -> {});

        for (int percent = 0; percent <= 100; percent += 10) {
            assertThat(pair.ttft().percentile(percent))
                    .isCloseTo(
                            alone.ttft().percentile(percent),
                            within(1e-9 * alone.span().makespanMillis()));
        }
    }

    /// What pairs of a search promise, `min(S 1000/P, R 1000 b/(osl D))`, where so many are outstanding that one side
    /// never rests, once the opening and the end do not count.
    @ParameterizedTest
    @MethodSource("seeds")
    void saturatedInstancesServeWhatTheirSidesPromise(long seed) {
        Random random = new Random(seed);
        int prefillRanks = 1 + random.nextInt(4);
        int decodeRanks = 1 + random.nextInt(4);
        Workers prefill = new Workers(Ranks.rank(Ranks.random(random), Ranks.MIXED), prefillRanks);
        int most = 4 + random.nextInt(28);
        Workers decode = new Workers(
                Ranks.rank(
                        Ranks.random(random),
                        Ranks.engine(new Scheduling(Policy.MIXED, 8192, most, Scheduling.NO_LIMIT))),
                decodeRanks);
        SpreadLengths lengths = new SpreadLengths(50 + random.nextInt(4000), 50 + random.nextInt(300), 0.5);
        MeanRequest request = lengths.mean(0);
        SimulationResult result = PairSimulation.run(
                prefill,
                decode,
                PairSimulationTest::atOnce,
                new Traffic(lengths, 12, 0, null, false)
                        .closedLoop(3 * most * decodeRanks + 3 * prefillRanks, TtftBasis.BENCHMARK),
                () -> {});

        double prompts = prefillRanks
                * 1000
                / request.prompts(prefill.rank().step()::prefill).millis();
        double answers = decodeRanks
                * 1000.0
                * most
                / (request.outputTokens() * decode.rank().decodeMillis(most, request));
        double promised = Math.min(prompts, answers);
        double served = middleTokensPerSecond(result) / request.outputTokens();
        assertThat(served / promised).isBetween(0.99, 1.001);
        Sides sides = requireNonNull(result.sides());
        assertThat(Math.max(sides.prefillBusy(), sides.decodeBusy())).isGreaterThan(0.8);
    }

    /// Of the middle half of the time.
    private static double middleTokensPerSecond(SimulationResult result) {
        double makespan = result.span().makespanMillis();
        List<Interval> middle = result.timeline().stream()
                .filter(interval -> interval.startMillis() > makespan / 4 && interval.endMillis() < 3 * makespan / 4)
                .toList();
        return middle.stream()
                .mapToDouble(Interval::outputTokensPerSecond)
                .average()
                .orElseThrow();
    }

    @Test
    void longSimulationEndsWhereItsCallerWantsItTo() {
        Case one = new Case(new Random(1));
        assertThatThrownBy(() -> PairSimulation.run(one.prefill, one.decode, one.transfer, one.load, () -> {
                    throw new CancellationException("enough");
                }))
                .isInstanceOf(CancellationException.class);
    }

    /// Any pair, on any load.
    private static final class Case {
        private final Workers prefill;
        private final Workers decode;
        private final IntToDoubleFunction transfer;
        private final SimulatedLoad load;

        private Case(Random random) {
            int input = 20 + random.nextInt(3000);
            int output = 1 + random.nextInt(120);
            prefill = new Workers(Ranks.rank(Ranks.random(random), engine(random)), 1 + random.nextInt(4));
            StepTimes step = Ranks.random(random);
            double kvTokens =
                    random.nextBoolean() ? Double.POSITIVE_INFINITY : (input + output) * Ranks.between(random, 1, 8);
            int mostRunning = random.nextBoolean() ? Scheduling.NO_LIMIT : 1 + random.nextInt(12);
            decode = new Workers(
                    new ServingRank(
                            random.nextInt(3) == 0 ? Ranks.drafting(step, random) : step,
                            kvTokens,
                            new EngineSettings(
                                    new Scheduling(Policy.MIXED, 8192, mostRunning, Scheduling.NO_LIMIT), 1, 0, 2),
                            CacheUse.TOKENS),
                    1 + random.nextInt(4));
            double perToken = random.nextBoolean() ? 0 : Ranks.between(random, 0, 0.05);
            transfer = tokens -> perToken * tokens;
            Arrivals arrivals = random.nextBoolean()
                    ? new Arrivals.OpenLoop(Ranks.between(random, 0.2, 20), random.nextLong())
                    : new Arrivals.ClosedLoop(1 + random.nextInt(40), Ranks.between(random, 0, 100), 0);
            load = new SimulatedLoad(new SpreadLengths(input, output, 0.3), 20 + random.nextInt(150), 0, arrivals);
        }

        private SimulationResult run() {
            return PairSimulation.run(prefill, decode, transfer, load, () -> {});
        }
    }

    private static double atOnce(int tokens) {
        return 0;
    }

    private static EngineSettings engine(Random random) {
        return new EngineSettings(
                new Scheduling(Policy.MIXED, 8192), 1, Ranks.between(random, 0, 100), Ranks.between(random, 0, 3));
    }

    private static double sum(SimulationResult result, ToDoubleFunction<Interval> figure) {
        return result.timeline().stream()
                .mapToDouble(
                        interval -> figure.applyAsDouble(interval) * (interval.endMillis() - interval.startMillis()))
                .sum();
    }

    private static Generation generation(SimulationResult result) {
        return requireNonNull(result.generation());
    }
}
