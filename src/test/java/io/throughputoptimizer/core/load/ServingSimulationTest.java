package io.throughputoptimizer.core.load;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.load.Arrivals.ClosedLoop;
import io.throughputoptimizer.core.load.Arrivals.OpenLoop;
import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.ServingRank.StepTimes;
import io.throughputoptimizer.core.load.SimulationResult.Interval;
import io.throughputoptimizer.core.load.StepByStepServing.Request;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Nightly;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ServingSimulationTest {
    /// Tokens that public benchmarks serve with.
    private static final List<RequestLengths> BENCHMARK = List.of(
            new SpreadLengths(1024, 1024, 0.8), new SpreadLengths(8192, 1024, 0.8), new SpreadLengths(1024, 8192, 0.8));

    private static final SimulatedLoad TEN_WAVES =
            new SimulatedLoad(new SpreadLengths(1024, 256, 0.8), 160, 0, new ClosedLoop(16, 0, 0));

    /// Two requests run at a time; a step holds one prompt, less the tokens of the requests that decode.
    @Test
    void fourRequestsOfTwoAtATimeTakeTheTimesOfTheSchedulersRules() {
        LinearSteps step = new LinearSteps(new LinearSteps.Decode(10, 0, 0), new LinearSteps.Prefill(0, 1, 0));
        ServingRank rank = Ranks.rank(step, Ranks.engine(new Scheduling(Policy.MIXED, 100)));
        SimulationResult result =
                run(rank, new SimulatedLoad(new SpreadLengths(100, 3, 1), 4, 0, new ClosedLoop(2, 0, 0)));
        assertThat(percentiles(result.ttft())).containsExactly(100, 120, 120, 220);
        assertThat(percentiles(tpot(result))).containsExactly(10, 60, 60, 60);
        assertThat(result.span().makespanMillis()).isEqualTo(480);
        assertThat(result.span().outputTokensPerSecond()).isEqualTo(25);
    }

    static LongStream seeds() {
        return Nightly.seeds(33);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void skippedStepsTakeTheTimeOfStepsOneByOne(long seed) {
        Random random = new Random(seed);
        ServingRank rank = randomRank(random);
        SimulatedLoad load = randomLoad(random);
        List<Request> requests = StepByStepServing.run(rank, load);
        SimulationResult result = run(rank, load);
        double makespan =
                requests.stream().mapToDouble(request -> request.last).max().orElseThrow();
        // Of the clock's reading, as latencies are differences between two of its readings.
        Offset<Double> exact = within(1e-12 * makespan);
        assertThat(result.span().makespanMillis()).isCloseTo(makespan, exact);
        Distribution ttft =
                Distribution.of(requests.stream().mapToDouble(Request::ttft).toArray());
        for (int percent = 0; percent <= 100; percent += 5) {
            assertThat(result.ttft().percentile(percent)).isCloseTo(ttft.percentile(percent), exact);
        }
        SimulationResult.Generation generation = result.generation();
        if (generation == null) {
            assertThat(result.span().outputTokens()).isEqualTo(load.requests());
        } else {
            long gaps = result.span().outputTokens() - load.requests();
            assertThat(generation.meanGapMillis()).isCloseTo(generationMillis(requests) / gaps, exact);
        }
    }

    private static double generationMillis(List<Request> requests) {
        return requests.stream()
                .mapToDouble(request -> request.last - request.first)
                .sum();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void steadyLawAndSimulationAgreeOnTheTimePerOutputToken(long seed) {
        Random random = new Random(seed);
        ServingRank rank = Ranks.rank(Ranks.random(random), random.nextBoolean() ? Ranks.MIXED : Ranks.ALTERNATE);
        RequestLengths lengths = BENCHMARK.get(random.nextInt(BENCHMARK.size()));
        int concurrency = 1 << random.nextInt(8);
        Traffic traffic = new Traffic(lengths, 0, 10, 0, null);
        SteadyFigures figures = (SteadyFigures) new SteadyLaw(rank, traffic.mean(), 10).at(concurrency);
        SimulationResult result = run(rank, traffic.closedLoop(concurrency, TtftBasis.BENCHMARK));
        assertThat(result.effort().requests()).isEqualTo(10 * concurrency);
        assertThat(figures.tpotMillis()).isCloseTo(tpot(result).mean(), withinPercentage(5));
    }

    /// Drafts make tokens faster and prompts no faster, so that there is more of these in a token's time. Few
    /// of them pass by in the last of the ten waves, which the law leaves out. The last step of a request may
    /// yield more than is left to ask for.
    @ParameterizedTest
    @MethodSource("seeds")
    void steadyLawAndSimulationAgreeOnTheTimePerOutputTokenOfStepsThatVerifyDrafts(long seed) {
        Random random = new Random(seed);
        StepTimes step = Ranks.drafting(Ranks.random(random), random);
        ServingRank rank = Ranks.rank(step, random.nextBoolean() ? Ranks.MIXED : Ranks.ALTERNATE);
        RequestLengths lengths = BENCHMARK.get(random.nextInt(BENCHMARK.size()));
        int concurrency = 1 << random.nextInt(8);
        Traffic traffic = new Traffic(lengths, 0, 10, 0, null);
        SteadyFigures figures = (SteadyFigures) new SteadyLaw(rank, traffic.mean(), 10).at(concurrency);
        SimulationResult result = run(rank, traffic.closedLoop(concurrency, TtftBasis.BENCHMARK));
        SimulationResult.Generation generation = requireNonNull(result.generation());
        double prompts = 1 - figures.steps().decodeMillis() / figures.tpotMillis();
        assertThat(figures.tpotMillis() / generation.tpot().mean()).isBetween(0.95, 1.05 + prompts / traffic.waves());
        double lost = step.tokensPerStep() / (0.8 * lengths.longestOutput());
        assertThat(generation.meanStepMillis() / generation.meanGapMillis())
                .isBetween(step.tokensPerStep() * (1 - lost), step.tokensPerStep() * (1 + 1e-9));
    }

    /// Four tokens behind the first one are three steps that yield 1.5; the last one loses half a token. Each
    /// takes three tokens of the budget of the step that it shares with a prompt.
    @Test
    void stepsThatVerifyDraftsTakeTheTimesOfTheSchedulersRules() {
        StepTimes step = Ranks.drafting(
                new LinearSteps(new LinearSteps.Decode(10, 0, 0), new LinearSteps.Prefill(0, 1, 0)), 2, 1.5);
        ServingRank rank = Ranks.rank(step, Ranks.engine(new Scheduling(Policy.MIXED, 100)));
        RequestLengths lengths = new SpreadLengths(100, 5, 1);
        SimulationResult alone = run(rank, new SimulatedLoad(lengths, 1, 0, new ClosedLoop(1, 0, 0)));
        assertThat(alone.span().makespanMillis()).isEqualTo(100 + 3 * 10);
        assertThat(tpot(alone).mean()).isEqualTo(30 / 4.0);
        assertThat(requireNonNull(alone.generation()).meanStepMillis()).isEqualTo(10);
        SimulationResult two = run(rank, new SimulatedLoad(lengths, 2, 0, new ClosedLoop(2, 0, 0)));
        double second = 100 + (97 + 10) + (3 + 10);
        assertThat(two.ttft().percentile(100)).isEqualTo(second);
        assertThat(two.span().makespanMillis()).isEqualTo(second + 3 * 10);
        assertThat(tpot(two).percentile(100)).isEqualTo((second + 10 - 100) / 4);
    }

    /// Equal requests that all start at once stay in step, each waiting for the prompts of all others; spread over one
    /// request's time they wait as long as the law says, but for what is left of the step that runs when they come.
    /// They wait longer for the others in a step: of the opening burst the law ends prompts one by one, where a
    /// step of the budget ends several together. They queue less: the law's come at random, these evenly. Tokens
    /// are faster while some clients wait for their second request, and while others have ended: half a cycle of
    /// ten each.
    @ParameterizedTest
    @MethodSource("seeds")
    void staggeredClientsOfEqualRequestsWaitAsLongAsTheLawSays(long seed) {
        Random random = new Random(seed);
        ServingRank rank = Ranks.rank(Ranks.random(random), random.nextBoolean() ? Ranks.MIXED : Ranks.ALTERNATE);
        RequestLengths lengths = new SpreadLengths(200 + random.nextInt(4000), 100 + random.nextInt(1000), 1);
        int concurrency = 1 << random.nextInt(8);
        Traffic staggered = new Traffic(lengths, 0, 10, 0, null, true);
        SteadyFigures law = (SteadyFigures) new SteadyLaw(rank, staggered.mean(), 10).at(concurrency);
        SimulationResult result = run(rank, staggered.closedLoop(concurrency, TtftBasis.BENCHMARK, law));
        assertThat(result.effort().requests()).isEqualTo(10 * concurrency);
        double expected = law.ttft().benchmarkMillis();
        double step = law.steps().decodeMillis();
        int budget = rank.engine().scheduling().tokenBudget();
        int together = Math.min(concurrency, budget / lengths.longestInput());
        double grouped = (together - 1) / 2.0 * law.steps().prefillMillis() / staggered.waves();
        assertThat(result.ttft().mean())
                .isBetween(
                        expected - step - Math.min(law.steps().queueMillis(), 0.25 * expected),
                        1.05 * expected + step + grouped);
        assertThat(law.tpotMillis() / tpot(result).mean()).isBetween(1 - 1e-9, 1.005 + 1 / staggered.waves());
    }

    @Test
    void equalRequestsThatStayInStepWaitSeveralTimesAsLongAsTheLawSays() {
        List<Double> factors = seeds().mapToObj(seed -> {
                    Random random = new Random(seed);
                    ServingRank rank =
                            Ranks.rank(Ranks.random(random), random.nextBoolean() ? Ranks.MIXED : Ranks.ALTERNATE);
                    Traffic traffic = new Traffic(new SpreadLengths(1024, 256, 1), 0, 10, 0, null);
                    SteadyFigures law = (SteadyFigures) new SteadyLaw(rank, traffic.mean(), 10).at(32);
                    return run(rank, traffic.closedLoop(32, TtftBasis.BENCHMARK))
                                    .ttft()
                                    .mean()
                            / law.ttft().benchmarkMillis();
                })
                .sorted()
                .toList();
        assertThat(factors.get(factors.size() / 2)).isGreaterThan(3);
    }

    /// One server with fixed service times and random arrivals: the mean wait is `load / (2 (1 - load))` services.
    @Test
    void openLoopWaitsAsLongAsTheQueueOfOneServerWithFixedTimes() {
        LinearSteps step = new LinearSteps(new LinearSteps.Decode(0, 0, 0), new LinearSteps.Prefill(10, 0, 0));
        ServingRank rank = Ranks.rank(step, Ranks.engine(new Scheduling(Policy.MIXED, 8192, Scheduling.NO_LIMIT, 1)));
        for (double load : new double[] {0.3, 0.5, 0.8}) {
            SimulatedLoad requests =
                    new SimulatedLoad(new SpreadLengths(100, 1, 1), 20_000, 0, new OpenLoop(100 * load, 1));
            SimulationResult result = run(rank, requests);
            double wait = (result.ttft().mean() - 10) / 10;
            assertThat(wait).isCloseTo(load / (2 * (1 - load)), withinPercentage(5));
            assertThat(result.generation()).isNull();
        }
    }

    @Test
    void everyStepTakesTheGapOfTheHostOnce() {
        LinearSteps step = new LinearSteps(new LinearSteps.Decode(10, 0, 0), new LinearSteps.Prefill(0, 1, 0));
        EngineSettings gaps = new EngineSettings(new Scheduling(Policy.MIXED, 100), 1, 0, 5);
        RequestLengths lengths = new SpreadLengths(100, 3, 1);
        SimulationResult alone = run(Ranks.rank(step, gaps), new SimulatedLoad(lengths, 1, 0, new ClosedLoop(1, 0, 0)));
        assertThat(alone.span().makespanMillis()).isEqualTo(100 + 5 + 2 * (10 + 5));
        // The second prompt takes two steps, since the first request decodes beside it: 99 tokens, then the last one.
        SimulationResult two = run(Ranks.rank(step, gaps), new SimulatedLoad(lengths, 2, 0, new ClosedLoop(2, 0, 0)));
        assertThat(two.ttft().percentile(100)).isEqualTo(100 + 5 + (99 + 10 + 5) + (1 + 10 + 5));
    }

    @Test
    void engineThatPollsLessOftenThanEveryStepIsRefused() {
        EngineSettings lazy = new EngineSettings(new Scheduling(Policy.MIXED, 100), 30, 0, 0);
        assertThatThrownBy(() -> run(Ranks.rank(Ranks.FAST, lazy), TEN_WAVES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a simulation polls every step, not every 30");
    }

    @Test
    void prefixCacheIsRefused() {
        Traffic hits = new Traffic(new SpreadLengths(1024, 256, 0.8), 0.5, 10, 0, null);
        assertThatThrownBy(() -> hits.closedLoop(16, TtftBasis.BENCHMARK))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix cache");
    }

    @Test
    void longSimulationEndsWhereItsCallerWantsItTo() {
        int[] calls = {0};
        SimulatedLoad large = new SimulatedLoad(new SpreadLengths(1024, 256, 0.8), 5120, 0, new ClosedLoop(512, 0, 0));
        assertThatThrownBy(() -> ServingSimulation.run(Ranks.rank(Ranks.FAST, Ranks.MIXED), large, () -> {
                    calls[0]++;
                    if (calls[0] == 3) {
                        throw new CancellationException();
                    }
                }))
                .isInstanceOf(CancellationException.class);
        assertThat(calls[0]).isEqualTo(3);
    }

    @Test
    void settledLatenciesLeaveTheOpeningBurstOut() {
        Traffic traffic = new Traffic(new SpreadLengths(1024, 256, 0.8), 0, 10, 0, null);
        ServingRank rank = Ranks.rank(Ranks.FAST, Ranks.MIXED);
        Distribution all =
                run(rank, traffic.closedLoop(64, TtftBasis.BENCHMARK)).ttft();
        Distribution settled =
                run(rank, traffic.closedLoop(64, TtftBasis.SETTLED)).ttft();
        assertThat(settled.percentile(99)).isLessThan(all.percentile(99) / 2);
    }

    @Test
    void unfinishedWavesAreRoundedHalfToEven() {
        Traffic half = new Traffic(new SpreadLengths(1024, 256, 0.8), 0, 1.5, 0, null);
        assertThat(half.closedLoop(1, TtftBasis.BENCHMARK).requests()).isEqualTo(2);
        assertThat(half.closedLoop(3, TtftBasis.BENCHMARK).requests()).isEqualTo(4);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void timelineHoldsEveryTokenAndEveryMomentOfARequest(long seed) {
        Random random = new Random(seed);
        ServingRank rank = randomRank(random);
        SimulatedLoad load = randomLoad(random);
        SimulationResult result = run(rank, load);
        double seconds = 1e-3;
        assertThat(sum(result, interval -> interval.outputTokensPerSecond() * seconds))
                .isCloseTo(result.span().outputTokens(), withinPercentage(1e-6));
        // Little's law: a request waits or runs from its sending to its last token.
        double inside = StepByStepServing.run(rank, load).stream()
                .mapToDouble(request -> request.last - request.first + request.ttft())
                .sum();
        assertThat(sum(result, interval -> interval.running() + interval.waiting()))
                .isCloseTo(inside, withinPercentage(1e-6));
    }

    private static double sum(SimulationResult result, ToDoubleFunction<Interval> figure) {
        return result.timeline().stream()
                .mapToDouble(
                        interval -> figure.applyAsDouble(interval) * (interval.endMillis() - interval.startMillis()))
                .sum();
    }

    private static SimulationResult run(ServingRank rank, SimulatedLoad load) {
        return ServingSimulation.run(rank, load, () -> {});
    }

    private static Distribution tpot(SimulationResult result) {
        return requireNonNull(result.generation()).tpot();
    }

    /// Of four requests.
    private static double[] percentiles(Distribution four) {
        return new double[] {
            four.percentile(0), four.percentile(100 / 3.0), four.percentile(200 / 3.0), four.percentile(100)
        };
    }

    private static ServingRank randomRank(Random random) {
        Policy policy = random.nextBoolean() ? Policy.MIXED : Policy.ALTERNATE;
        int maxRunning = random.nextBoolean() ? Scheduling.NO_LIMIT : 1 + random.nextInt(12);
        EngineSettings engine = new EngineSettings(
                new Scheduling(policy, 8 << random.nextInt(8), maxRunning, Scheduling.NO_LIMIT),
                1,
                0,
                random.nextBoolean() ? 0 : random.nextDouble());
        double kvTokens = random.nextBoolean() ? Double.POSITIVE_INFINITY : 500 + random.nextInt(5000);
        StepTimes step = Ranks.random(random);
        return new ServingRank(
                random.nextBoolean() ? step : Ranks.drafting(step, random), kvTokens, engine, CacheUse.TOKENS);
    }

    private static SimulatedLoad randomLoad(Random random) {
        RequestLengths lengths =
                new SpreadLengths(1 + random.nextInt(600), 1 + random.nextInt(80), 0.1 + 0.9 * random.nextDouble());
        Arrivals arrivals = random.nextBoolean()
                ? new ClosedLoop(
                        1 + random.nextInt(20),
                        random.nextBoolean() ? 0 : random.nextInt(1000),
                        random.nextBoolean() ? 0 : random.nextInt(5000))
                : new OpenLoop(0.1 + 5 * random.nextDouble(), random.nextLong());
        return new SimulatedLoad(lengths, 1 + random.nextInt(120), 0, arrivals);
    }
}
