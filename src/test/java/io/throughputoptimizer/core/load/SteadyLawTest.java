package io.throughputoptimizer.core.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.load.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.LawOutcome.OutOfMemory;
import io.throughputoptimizer.core.load.ServingRank.StepTimes;
import io.throughputoptimizer.fixture.Nightly;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SteadyLawTest {
    private static final MeanRequest LONG_PROMPTS = new MeanRequest(7373, 922, 0, null);
    private static final MeanRequest SHORT_PROMPTS = new MeanRequest(922, 922, 0, null);

    /// Llama-3.1-70B in FP8 on four H200 with vLLM: a decode step of 20.119 ms, a prompt of 374.44 ms.
    @Test
    void workedExampleOfLlamaOnFourDevices() {
        LinearSteps step = new LinearSteps(new LinearSteps.Decode(20.119, 0, 0), new LinearSteps.Prefill(374.44, 0, 0));
        EngineSettings vllm = new EngineSettings(new Scheduling(Policy.MIXED, 8192), 1, 35, 0);
        SteadyFigures figures = at(Ranks.rank(step, vllm), LONG_PROMPTS, 64);
        assertThat(figures.tpotMillis()).isCloseTo(45.704, within(0.001));
        assertThat(figures.steps().utilisation()).isCloseTo(0.5637, within(0.0001));
        assertThat(figures.steps().queueMillis()).isCloseTo(238.09, within(0.05));
        assertThat(figures.ttft().benchmarkMillis()).isCloseTo(1812.3, within(0.1));
        assertThat(figures.outputTokensPerSecond()).isCloseTo(1342.6, within(0.1));
    }

    static LongStream seeds() {
        return Nightly.seeds(50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void timePerOutputTokenNeverFallsWithConcurrencyNorWithContextWhileMemoryLasts(long seed) {
        Random random = new Random(seed);
        ServingRank rank = Ranks.rank(Ranks.random(random), Ranks.MIXED);
        double input = Ranks.between(random, 1, 32_000);
        double output = Ranks.between(random, 1, 8_000);
        double concurrency = Ranks.between(random, 1, 512);
        double tpot =
                at(rank, new MeanRequest(input, output, 0, null), concurrency).tpotMillis();
        assertThat(at(rank, new MeanRequest(input, output, 0, null), concurrency + random.nextInt(100))
                        .tpotMillis())
                .isGreaterThanOrEqualTo(tpot);
        assertThat(at(rank, new MeanRequest(input + random.nextInt(1000), output, 0, null), concurrency)
                        .tpotMillis())
                .isGreaterThanOrEqualTo(tpot);
    }

    @Test
    void requestsBeyondWhatTheCacheHoldsWaitOutside() {
        ServingRank rank = new ServingRank(Ranks.SLOW, 300_000, Ranks.MIXED, CacheUse.TOKENS);
        SteadyFigures full = at(rank, LONG_PROMPTS, 300_000 / (7373 + 0.75 * 922));
        SteadyFigures waiting = at(rank, LONG_PROMPTS, 64);
        assertThat(waiting.steps()).isEqualTo(full.steps());
        assertThat(waiting.tpotMillis()).isEqualTo(full.tpotMillis());
        // Of ten waves the first waits only half as long.
        double stay = full.steps().prefillMillis() + full.outputTokens() * full.tpotMillis();
        double outside = (64 / full.concurrency() - 1) * stay * 0.95;
        assertThat(waiting.ttft().settledMillis() - full.ttft().settledMillis())
                .isCloseTo(outside, withinPercentage(1e-9));
        assertThat(waiting.ttft().burstMillis() - full.ttft().burstMillis()).isCloseTo(outside, withinPercentage(1e-9));
    }

    @Test
    void engineThatRunsFewerRequestsLimitsThemAsTheCacheDoes() {
        EngineSettings few = Ranks.engine(new Scheduling(Policy.MIXED, 8192, 12, Scheduling.NO_LIMIT));
        SteadyFigures limited = at(Ranks.rank(Ranks.SLOW, few), SHORT_PROMPTS, 32);
        double tokens = 12 * (922 + 0.75 * 922);
        SteadyFigures small = at(new ServingRank(Ranks.SLOW, tokens, Ranks.MIXED, CacheUse.TOKENS), SHORT_PROMPTS, 32);
        assertThat(limited).isEqualTo(small);
    }

    @Test
    void requestThatDoesNotFitIsOutOfMemory() {
        ServingRank rank = new ServingRank(Ranks.SLOW, 8000, Ranks.MIXED, CacheUse.TOKENS);
        assertThat(law(rank, LONG_PROMPTS).at(1)).isEqualTo(new OutOfMemory(8000, 7373 + 0.75 * 922));
        assertThat(law(new ServingRank(Ranks.SLOW, -1, Ranks.MIXED, CacheUse.TOKENS), LONG_PROMPTS)
                        .at(1))
                .isInstanceOf(OutOfMemory.class);
        assertThat(law(rank, LONG_PROMPTS).highestRatePerSecond()).isZero();
    }

    @Test
    void gapOfTheHostLengthensStepsAndPromptsOnlyWhereTheyHaveStepsOfTheirOwn() {
        SteadyFigures without = at(Ranks.rank(Ranks.SLOW, Ranks.MIXED), SHORT_PROMPTS, 16);
        SteadyFigures mixed = at(Ranks.rank(Ranks.SLOW, gap(Policy.MIXED)), SHORT_PROMPTS, 16);
        assertThat(mixed.steps().decodeMillis()).isEqualTo(without.steps().decodeMillis() + 2);
        assertThat(mixed.steps().prefillMillis()).isEqualTo(without.steps().prefillMillis());
        SteadyFigures alternate = at(Ranks.rank(Ranks.SLOW, gap(Policy.ALTERNATE)), SHORT_PROMPTS, 16);
        assertThat(alternate.steps().prefillMillis()).isEqualTo(without.steps().prefillMillis() + 2);
    }

    @Test
    void cachedPrefixLeavesTheRestOfThePromptAndItsViewOfTheWhole() {
        StepTimes step = new LinearSteps(new LinearSteps.Decode(10, 0, 0), new LinearSteps.Prefill(0, 1, 1e-3));
        SteadyFigures half = at(Ranks.rank(step, Ranks.MIXED), new MeanRequest(1000, 100, 0.5, null), 1);
        assertThat(half.steps().prefillMillis()).isCloseTo(500 + 0.75 * 500, within(1e-9));
    }

    @Test
    void highestRateIsThatOfAFullRankWithoutPause() {
        EngineSettings few = Ranks.engine(new Scheduling(Policy.MIXED, 8192, 64, Scheduling.NO_LIMIT));
        ServingRank rank = Ranks.rank(Ranks.FAST, few);
        SteadyFigures full = at(rank, SHORT_PROMPTS, 64);
        double round = full.steps().prefillMillis() + full.outputTokens() * full.tpotMillis();
        assertThat(law(rank, SHORT_PROMPTS).highestRatePerSecond()).isCloseTo(64_000 / round, withinPercentage(1e-10));
        assertThatThrownBy(() ->
                        law(Ranks.rank(Ranks.FAST, Ranks.MIXED), SHORT_PROMPTS).highestRatePerSecond())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("nothing limits how many requests run");
    }

    @Test
    void decodeWorkersWithoutRoomForTheirShareAreOutOfMemory() {
        ServingRank small = new ServingRank(Ranks.SLOW, 20_000, Ranks.MIXED, CacheUse.TOKENS);
        DisaggregatedLaw law = new DisaggregatedLaw(new Workers(small, 2), new Workers(small, 4), SHORT_PROMPTS, 10, 0);
        double request = 922 + 0.75 * 922;
        assertThat(law.at(48)).isInstanceOf(SteadyFigures.class);
        assertThat(law.at(56)).isEqualTo(new OutOfMemory(20_000, 14 * request));
    }

    @Test
    void fewerRequestsThanOneAreRefused() {
        assertThatThrownBy(() ->
                        law(Ranks.rank(Ranks.SLOW, Ranks.MIXED), SHORT_PROMPTS).at(0.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("concurrency of a rank is 0.5: at least 1");
    }

    private static EngineSettings gap(Policy policy) {
        return new EngineSettings(new Scheduling(policy, 8192), 1, 0, 2);
    }

    private static SteadyLaw law(ServingRank rank, MeanRequest request) {
        return new SteadyLaw(rank, request, 10);
    }

    private static SteadyFigures at(ServingRank rank, MeanRequest request, double concurrency) {
        LawOutcome outcome = law(rank, request).at(concurrency);
        assertThat(outcome).isInstanceOf(SteadyFigures.class);
        return (SteadyFigures) outcome;
    }
}
