package io.throughputoptimizer.core.load;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.load.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.SimulationResult.Turns;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.workload.Conversation;
import io.throughputoptimizer.fixture.Nightly;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Turns of conversations at prefill ranks, which keep prompts and never see an answer.
class PairedTurnsTest {
    static LongStream seeds() {
        return Nightly.seeds(7);
    }

    /// Where nothing is forgotten each turn finds the whole prompt of the one before, and those that decode hold what
    /// the law says of turns.
    @ParameterizedTest
    @MethodSource("seeds")
    void withRoomForAllEachTurnFindsThePromptBefore(long seed) {
        Random random = new Random(seed);
        Conversation turns = conversation(random, 50 + random.nextInt(500), 50 + random.nextInt(300));
        int clients = 10 + random.nextInt(30);
        SimulationResult result = PairSimulation.run(
                new Workers(Ranks.rank(Ranks.FAST, Ranks.MIXED), 1 + random.nextInt(3)),
                new Workers(Ranks.rank(Ranks.FAST, Ranks.MIXED), 1 + random.nextInt(3)),
                _ -> 5,
                load(turns, clients, 12_000, seed),
                () -> {});

        double found = 0;
        double prompts = 0;
        for (int turn = 1; turn <= turns.turns(); turn++) {
            found += turn == 1 ? turns.shared() : turns.prompt(turn - 1);
            prompts += turns.prompt(turn);
        }
        Turns seen = requireNonNull(result.turns());
        assertThat(seen.found()).isEqualTo(1);
        assertThat(seen.hitRate()).isCloseTo(found / prompts, withinPercentage(1));
        assertThat(seen.contextTokens())
                .isCloseTo(
                        new TurnLengths(turns, PrefixCacheRetention.PROMPT_AND_ANSWER)
                                .mean()
                                .halfwayTokens(),
                        withinPercentage(1));
    }

    /// With answers of one token that the next prompt leaves out, and decode in no time, a prefill rank is as a rank
    /// that does both: it forgets the same, and its clients wait as long, however little its cache holds.
    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsForgottenIsWhatARankThatDoesBothForgets(long seed) {
        Random random = new Random(seed);
        Conversation turns = conversation(random, 10 * (1 + random.nextInt(80)), 1);
        int clients = 2 + random.nextInt(20);
        double longest = turns.longestPrompt() + 10;
        ServingRank rank = new ServingRank(
                new LinearSteps(
                        new LinearSteps.Decode(0, 0, 0),
                        new LinearSteps.Prefill(1, Ranks.between(random, 0.01, 0.1), 1e-7)),
                longest * Ranks.between(random, 1, clients),
                Ranks.engine(new Scheduling(Policy.MIXED, Scheduling.NO_LIMIT, 1, 1)),
                // The answer takes nothing of it.
                tokens -> 10 * Math.floor(tokens / 10));
        SimulatedLoad load = load(turns, clients, 3000, seed);

        SimulationResult pair = PairSimulation.run(
                new Workers(rank, 1), new Workers(Ranks.rank(rank.step(), Ranks.MIXED), 1), _ -> 0, load, () -> {});
        SimulationResult both = ServingSimulation.run(rank, load, () -> {});

        Turns seen = requireNonNull(pair.turns());
        assertThat(seen.hitRate()).isEqualTo(requireNonNull(both.turns()).hitRate());
        assertThat(seen.found()).isEqualTo(both.turns().found());
        for (int percent = 0; percent <= 100; percent += 10) {
            assertThat(pair.ttft().percentile(percent))
                    .isCloseTo(
                            both.ttft().percentile(percent),
                            within(1e-9 * both.span().makespanMillis()));
        }
    }

    private static Conversation conversation(Random random, int added, int generated) {
        boolean drops = generated == 1;
        return new Conversation(
                2 + random.nextInt(8),
                10 * random.nextInt(60),
                added,
                generated,
                drops ? 1 : random.nextInt(generated),
                true,
                Ranks.between(random, 200, 4000));
    }

    private static SimulatedLoad load(Conversation turns, int clients, int requests, long seed) {
        return new SimulatedLoad(
                new TurnLengths(turns, PrefixCacheRetention.PROMPT_AND_ANSWER),
                requests,
                0,
                new Arrivals.Turns(clients, turns, seed));
    }
}
