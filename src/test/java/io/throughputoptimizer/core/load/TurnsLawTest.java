package io.throughputoptimizer.core.load;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.workload.Conversation;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The law over turns of conversations: by itself, and against conversations that are simulated one by one.
class TurnsLawTest {
    private static final int SEEDS = 20;
    private static final double REQUESTS = 40_000;

    /// A rank, what it serves, and how many requests are outstanding.
    private record Case(ServingRank rank, Conversation conversation, int concurrency) {

        static Case of(long seed) {
            Random random = new Random(seed);
            int generated = 50 + random.nextInt(500);
            Conversation conversation = new Conversation(
                    2 + random.nextInt(9),
                    random.nextInt(3) * 400,
                    50 + random.nextInt(1000),
                    generated,
                    random.nextBoolean() ? 0 : random.nextInt(generated),
                    true,
                    Ranks.between(random, 2_000, 60_000));
            return new Case(
                    Ranks.rank(Ranks.random(random), random.nextBoolean() ? Ranks.MIXED : Ranks.ALTERNATE),
                    conversation,
                    4 + random.nextInt(29));
        }

        SteadyFigures law() {
            return (SteadyFigures)
                    new TurnsLaw(rank, new TurnLengths(conversation, PrefixCacheRetention.PROMPT_AND_ANSWER), waves())
                            .at(concurrency);
        }

        PrefixCacheStats kept() {
            return requireNonNull(law().kept());
        }

        /// Long, so that the beginning does not count for much.
        double waves() {
            return 1000;
        }

        Case of(int requests) {
            return new Case(rank, conversation, requests);
        }

        Case with(double kvTokens) {
            return new Case(
                    new ServingRank(rank.step(), kvTokens, rank.engine(), CacheUse.TOKENS), conversation, concurrency);
        }

        Case with(Conversation other) {
            return new Case(rank, other, concurrency);
        }

        Case thinking(double millis) {
            return with(new Conversation(
                    conversation.turns(),
                    conversation.systemTokens(),
                    conversation.addedTokens(),
                    conversation.generatedTokens(),
                    conversation.droppedTokens(),
                    true,
                    millis));
        }

        /// Tokens of all requests that run, and of so much of what those who think have left.
        Case withRoomFor(double share) {
            PrefixCacheStats ample = kept();
            double running = concurrency * (conversation.meanPrompt() + conversation.generatedTokens());
            return with(running + share * ample.neededTokens());
        }

        SimulationResult simulated(long seed) {
            int clients = (int) Math.rint(kept().conversations());
            int requests = (int) Math.max(REQUESTS, 20.0 * clients * conversation.turns());
            SimulatedLoad load = new SimulatedLoad(
                    new TurnLengths(conversation, PrefixCacheRetention.PROMPT_AND_ANSWER),
                    requests,
                    0,
                    new Arrivals.Turns(clients, conversation, seed));
            return ServingSimulation.run(rank, load, () -> {});
        }
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whereThereIsRoomAllTurnsFindTheOneBefore(long seed) {
        Case ample = Case.of(seed);
        SteadyFigures figures = ample.law();
        assertThat(ample.kept().found()).isEqualTo(1);
        assertThat(ample.kept().hitRate()).isEqualTo(ample.conversation.hitRate(1));
        SteadyLaw plain = new SteadyLaw(
                ample.rank,
                new TurnLengths(ample.conversation, PrefixCacheRetention.PROMPT_AND_ANSWER).meanFound(1),
                ample.waves());
        assertThat(figures.ofLaw().tpotMillis()).isEqualTo(((SteadyFigures) plain.at(ample.concurrency)).tpotMillis());
        double cycle = figures.cycleMillis();
        assertThat(ample.kept().conversations())
                .isCloseTo(ample.concurrency * (1 + ample.conversation.thinkMillis() / cycle), withinPercentage(1e-9));
    }

    /// What is found is what a characteristic age says, and all that was left since fills the room.
    @ParameterizedTest
    @MethodSource("seeds")
    void theShareOfTurnsIsThatAtWhichTheRoomIsFull(long seed) {
        Case tight = Case.of(seed).withRoomFor(0.2 + 0.8 * new Random(seed).nextDouble());
        Conversation conversation = tight.conversation;
        SteadyFigures figures = tight.law();
        PrefixCacheStats kept = tight.kept();
        assertThat(kept.found()).isStrictlyBetween(0.0, 1.0);
        double waits = (figures.concurrency() / figures.steps().running() - 1)
                * (figures.steps().prefillMillis() + conversation.generatedTokens() * figures.tpotMillis());
        double age = waits - conversation.thinkMillis() * Math.log1p(-kept.found());
        double held = 0;
        for (int turn = 1; turn <= conversation.turns(); turn++) {
            double all = conversation.prompt(turn) + conversation.generatedTokens() - conversation.systemTokens();
            double useful =
                    turn == conversation.turns() ? 0 : conversation.cached(turn + 1) - conversation.systemTokens();
            held += useful * (waits + conversation.thinkMillis() * kept.found()) + (all - useful) * age;
        }
        double perMilli = figures.concurrency() / figures.cycleMillis();
        // What was forgotten last leaves half of itself free.
        double sum = 0;
        double squares = 0;
        for (int turn = 1; turn <= conversation.turns(); turn++) {
            double all = conversation.prompt(turn) + conversation.generatedTokens() - conversation.systemTokens();
            double dead = turn == conversation.turns()
                    ? all
                    : all - conversation.cached(turn + 1) + conversation.systemTokens();
            sum += kept.found() * dead + (1 - kept.found()) * all;
            squares += kept.found() * dead * dead + (1 - kept.found()) * all * all;
        }
        assertThat(held * perMilli / conversation.turns())
                .isCloseTo(kept.roomTokens() - squares / sum / 2, withinPercentage(1e-6));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void moreIsFoundWithMoreRoomAndLessWithMoreThinking(long seed) {
        Case some = Case.of(seed).withRoomFor(0.5);
        assertThat(Case.of(seed).withRoomFor(0.8).kept().found())
                .isGreaterThan(some.kept().found());
        assertThat(some.thinking(2 * some.conversation.thinkMillis()).kept().found())
                .isLessThan(some.kept().found());
        assertThat(some.thinking(0).kept().found()).isEqualTo(1);
        assertThat(some.law().tpotMillis()).isGreaterThan(some.thinking(0).law().tpotMillis());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void moreTurnsHaveLongerContextsAndFindMore(long seed) {
        Case fewer = Case.of(seed);
        Conversation asked = fewer.conversation;
        Case more = fewer.with(new Conversation(
                asked.turns() + 1,
                asked.systemTokens(),
                asked.addedTokens(),
                asked.generatedTokens(),
                asked.droppedTokens(),
                true,
                asked.thinkMillis()));
        assertThat(new TurnLengths(more.conversation, PrefixCacheRetention.PROMPT_AND_ANSWER)
                        .mean()
                        .halfwayTokens())
                .isGreaterThan(new TurnLengths(asked, PrefixCacheRetention.PROMPT_AND_ANSWER)
                        .mean()
                        .halfwayTokens());
        assertThat(more.kept().neededTokens()).isGreaterThan(fewer.kept().neededTokens() * 0.9);
        assertThat(more.kept().roomTokens()).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anEngineWithoutACacheComputesAllPrompts(long seed) {
        Case cached = Case.of(seed);
        Conversation asked = cached.conversation;
        Case none = cached.with(new Conversation(
                asked.turns(),
                asked.systemTokens(),
                asked.addedTokens(),
                asked.generatedTokens(),
                asked.droppedTokens(),
                false,
                asked.thinkMillis()));
        assertThat(none.kept().hitRate()).isZero();
        MeanRequest plain = MeanRequest.of(
                new MeanRequest.Mix(
                        asked.prompts(),
                        List.of(),
                        requireNonNull(new TurnLengths(asked, PrefixCacheRetention.PROMPT_AND_ANSWER)
                                        .mean()
                                        .mix())
                                .decoding()),
                asked.generatedTokens(),
                0);
        SteadyFigures law = (SteadyFigures) new SteadyLaw(none.rank, plain, none.waves()).at(none.concurrency);
        assertThat(none.law().tpotMillis()).isCloseTo(law.tpotMillis(), withinPercentage(1e-9));
        assertThat(none.law().ttft().benchmarkMillis()).isCloseTo(law.ttft().benchmarkMillis(), withinPercentage(1e-9));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void lawAndSimulationAgreeWhereThereIsRoom(long seed) {
        Case ample = Case.of(seed);
        agree(ample, requireNonNull(ample.simulated(seed).turns()), 0.001);
    }

    /// Of hundreds of users, as a server has them whose cache is short.
    @ParameterizedTest
    @MethodSource("seeds")
    void lawAndSimulationAgreeWhereCachesOfManyAreLost(long seed) {
        Random random = new Random(seed);
        Case many = Case.of(seed).of(40 + random.nextInt(60)).thinking(Ranks.between(random, 30_000, 120_000));
        Case tight = many.withRoomFor(0.7 + 0.8 * random.nextDouble());
        agree(tight, requireNonNull(tight.simulated(seed).turns()), 0.01);
    }

    /// Where there is room for a few conversations only, how many run just now says much of what is
    /// left for the others.
    @ParameterizedTest
    @MethodSource("seeds")
    void lawAndSimulationAreNearEachOtherWhereCachesOfFewAreLost(long seed) {
        Case tight = Case.of(seed).withRoomFor(0.3 + 0.7 * new Random(seed).nextDouble());
        agree(tight, requireNonNull(tight.simulated(seed).turns()), 0.05);
    }

    private static void agree(Case tried, SimulationResult.Turns simulated, double tolerance) {
        assertThat(tried.kept().hitRate() / simulated.hitRate()).isCloseTo(1, within(tolerance));
        assertThat(new TurnLengths(tried.conversation, PrefixCacheRetention.PROMPT_AND_ANSWER)
                                .mean()
                                .halfwayTokens()
                        / simulated.contextTokens())
                .isCloseTo(1, within(Math.min(tolerance, 0.01)));
    }
}
