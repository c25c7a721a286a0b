package io.throughputoptimizer.core.load;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.throughputoptimizer.core.load.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.workload.Conversation;
import io.throughputoptimizer.fixture.Nightly;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The law over turns of conversations where prefill ranks feed decode ranks: by itself, and against conversations that
/// are simulated one by one.
class PairedTurnsLawTest {
    private static final double WAVES = 1000;
    private static final double TRANSFER = 5;
    private static final int REQUESTS = Nightly.isNow() ? 100_000 : 20_000;

    /// A rank that holds fewer prompts is another matter.
    private static final double FEWEST_PROMPTS = 8;

    /// Of the time of a prefill rank, where nothing is found.
    private static final double BUSY = 0.6;

    /// Workers, what they serve, and how many requests are outstanding.
    private record Case(Workers prefill, Workers decode, Conversation conversation, int concurrency) {

        /// Prefill ranks that keep up, also where nothing is found.
        static Case of(long seed, int requests, double leastThink, double mostThink) {
            Random random = new Random(seed);
            int generated = 50 + random.nextInt(500);
            Conversation conversation = new Conversation(
                    2 + random.nextInt(9),
                    random.nextInt(3) * 400,
                    50 + random.nextInt(1000),
                    generated,
                    random.nextBoolean() ? 0 : random.nextInt(generated),
                    true,
                    Ranks.between(random, leastThink, mostThink));
            Case asked = new Case(
                    new Workers(Ranks.rank(Ranks.random(random), Ranks.MIXED), 1 + random.nextInt(3)),
                    new Workers(Ranks.rank(Ranks.random(random), Ranks.MIXED), 1 + random.nextInt(3)),
                    conversation,
                    requests + random.nextInt(requests));
            while (asked.concurrency > 1 && asked.busyWithoutCaches() > BUSY) {
                asked = new Case(asked.prefill, asked.decode, conversation, asked.concurrency * 3 / 4);
            }
            return asked;
        }

        private double busyWithoutCaches() {
            SteadyFigures lost = ((SteadyFigures) plain(0).at(concurrency));
            return lost.requestsPerSecond() / 1000 * lost.steps().prefillMillis() / prefill.ranks();
        }

        /// The law of instances apart where that share of turns finds the prompt before.
        DisaggregatedLaw plain(double found) {
            MeanRequest mean = new TurnLengths(conversation, PrefixCacheRetention.PROMPT).meanFound(found);
            return new DisaggregatedLaw(prefill, decode, mean, WAVES, TRANSFER);
        }

        SteadyFigures law() {
            return (SteadyFigures) new PairedTurnsLaw(
                            prefill,
                            decode,
                            new TurnLengths(conversation, PrefixCacheRetention.PROMPT_AND_ANSWER),
                            WAVES,
                            TRANSFER)
                    .at(concurrency);
        }

        PrefixCacheStats kept() {
            return requireNonNull(law().kept());
        }

        Case with(Conversation other) {
            return new Case(prefill, decode, other, concurrency);
        }

        /// Tokens of the longest prompt at the least, and of so much of what all others have left.
        Case withRoomFor(double share) {
            double tokens =
                    Math.max(conversation.longestPrompt(), conversation.meanPrompt() + share * kept().neededTokens());
            ServingRank rank = prefill.rank();
            return new Case(
                    new Workers(new ServingRank(rank.step(), tokens, rank.engine(), CacheUse.TOKENS), prefill.ranks()),
                    decode,
                    conversation,
                    concurrency);
        }

        SimulationResult.Turns simulated(long seed) {
            int clients = (int) Math.rint(kept().conversations());
            int requests = (int) Math.max(REQUESTS, 20.0 * clients * conversation.turns());
            SimulatedLoad load = new SimulatedLoad(
                    new TurnLengths(conversation, PrefixCacheRetention.PROMPT_AND_ANSWER),
                    requests,
                    0,
                    new Arrivals.Turns(clients, conversation, seed));
            return requireNonNull(PairSimulation.run(prefill, decode, _ -> TRANSFER, load, () -> {})
                    .turns());
        }
    }

    private static Case many(long seed) {
        return Case.of(seed, 40, 30_000, 120_000);
    }

    private static Case few(long seed) {
        return Case.of(seed, 5, 2_000, 60_000);
    }

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    /// Simulations take long: two by day.
    static LongStream simulatedSeeds() {
        return Nightly.seeds(1);
    }

    /// The closed sums: each turn finds the whole prompt before, and all else is the law of pairs.
    @ParameterizedTest
    @MethodSource("seeds")
    void whereThereIsRoomAllTurnsFindThePromptBefore(long seed) {
        Case ample = many(seed);
        SteadyFigures figures = ample.law();
        SteadyFigures plain = (SteadyFigures) ample.plain(1).at(ample.concurrency);
        assertThat(figures.ttft()).isEqualTo(plain.ttft());
        assertThat(figures.steps()).isEqualTo(plain.steps());
        double found = ample.conversation.shared();
        double prompts = ample.conversation.prompt(1);
        for (int turn = 2; turn <= ample.conversation.turns(); turn++) {
            found += ample.conversation.prompt(turn - 1);
            prompts += ample.conversation.prompt(turn);
        }
        PrefixCacheStats kept = ample.kept();
        assertThat(kept.found()).isEqualTo(1);
        assertThat(kept.hitRate()).isCloseTo(found / prompts, within(1e-12));
        assertThat(kept.conversations())
                .isCloseTo(
                        ample.concurrency * (1 + ample.conversation.thinkMillis() / figures.cycleMillis()),
                        withinPercentage(1e-9));
    }

    /// What turns leave until one is forgotten fills the room that it leaves beside itself.
    @ParameterizedTest
    @MethodSource("seeds")
    void turnsAreForgottenWhenThoseAfterThemFillTheRoom(long seed) {
        Case tight = many(seed).withRoomFor(0.2 + 0.7 * new Random(seed).nextDouble());
        Conversation conversation = tight.conversation;
        int turns = conversation.turns();
        SteadyFigures figures = tight.law();
        PrefixCacheStats kept = tight.kept();
        double share = kept.foundTokens();
        double away = figures.concurrency() / figures.requestsPerSecond() * 1000;
        double sum = 0;
        double squares = 0;
        for (int turn = 1; turn <= turns; turn++) {
            double all = left(conversation, turn);
            double forgotten = turn == turns ? 1 : 1 - share;
            sum += forgotten * all;
            squares += forgotten * all * all;
        }
        double perMilli = figures.requestsPerSecond() / 1000 / tight.prefill.ranks();
        double found = 0;
        double tokens = 0;
        double useful = 0;
        for (int turn = 1; turn < turns; turn++) {
            double room = tight.prefill.rank().kvTokens()
                    - conversation.systemTokens()
                    - left(conversation, turn)
                    + squares / sum / 2;
            double low = 0;
            double high = 1e9;
            for (int i = 0; i < 200; i++) {
                double age = (low + high) / 2;
                if (perMilli / turns * filled(conversation, age, away) < room) {
                    low = age;
                } else {
                    high = age;
                }
            }
            double one = 1 - Math.exp(-Math.max(0, low - away) / conversation.thinkMillis());
            found += one;
            tokens += one * left(conversation, turn);
            useful += left(conversation, turn);
        }
        assertThat(share).isStrictlyBetween(0.0, 1.0);
        assertThat(share).isCloseTo(tokens / useful, within(1e-6));
        assertThat(kept.found()).isCloseTo(found / (turns - 1), within(1e-6));
        assertThat(kept.hitRate()).isEqualTo(conversation.hitRate(share, conversation::cachedOfPrompt));
        // Prompts cost what that share of their tokens leaves.
        SteadyFigures plain = (SteadyFigures) tight.plain(share).at(tight.concurrency);
        assertThat(figures.ttft().benchmarkMillis()).isCloseTo(plain.ttft().benchmarkMillis(), withinPercentage(1e-6));
    }

    private static double left(Conversation conversation, int turn) {
        return conversation.prompt(turn) - (double) conversation.systemTokens();
    }

    /// What all turns leave in an age, of which the next ones take theirs back.
    private static double filled(Conversation conversation, double age, double away) {
        double think = conversation.thinkMillis();
        double idle = Math.min(age, away) + think * (1 - Math.exp(-Math.max(0, age - away) / think));
        double all = left(conversation, conversation.turns()) * age;
        for (int turn = 1; turn < conversation.turns(); turn++) {
            all += left(conversation, turn) * idle;
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void moreIsFoundWithMoreRoom(long seed) {
        PrefixCacheStats some = many(seed).withRoomFor(0.5).kept();
        PrefixCacheStats more = many(seed).withRoomFor(0.8).kept();
        assertThat(more.found()).isGreaterThan(some.found());
        assertThat(more.hitRate()).isGreaterThan(some.hitRate());
        assertThat(more.roomTokens()).isGreaterThan(some.roomTokens());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void instancesWithoutACacheComputeAllPrompts(long seed) {
        Case cached = many(seed).withRoomFor(0.5);
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
        assertThat(none.kept().neededTokens()).isZero();
        assertThat(none.law().ttft()).isEqualTo(((SteadyFigures) none.plain(0).at(none.concurrency)).ttft());
    }

    /// Users who go on at once find what was left if it lasts as long as their answer.
    @ParameterizedTest
    @MethodSource("seeds")
    void usersWhoGoOnAtOnceFindWhatLastsAsLongAsTheirAnswer(long seed) {
        Case few = Case.of(seed, 5, 0, 0);
        assertThat(few.withRoomFor(3).kept().found()).isEqualTo(1);
        assertThat(few.withRoomFor(0.3).kept().found()).isLessThan(1);
    }

    /// Of hundreds of users, as a server has them whose cache is short.
    @ParameterizedTest
    @MethodSource("simulatedSeeds")
    void lawAndSimulationAgreeWhereCachesOfManyAreLost(long seed) {
        agree(many(seed).withRoomFor(0.3 + 0.7 * new Random(seed).nextDouble()), seed, 0.01);
    }

    /// Where there is room for a few conversations only, how long each of them takes says much.
    @ParameterizedTest
    @MethodSource("simulatedSeeds")
    void lawAndSimulationAreNearEachOtherWhereCachesOfFewAreLost(long seed) {
        Case some = few(seed).withRoomFor(0.3 + 0.7 * new Random(seed).nextDouble());
        assumeThat(some.prefill.rank().kvTokens()).isGreaterThan(FEWEST_PROMPTS * some.conversation.meanPrompt());
        agree(some, seed, 0.03);
    }

    @ParameterizedTest
    @MethodSource("simulatedSeeds")
    void lawAndSimulationAgreeWhereThereIsRoom(long seed) {
        agree(many(seed), seed, 0.002);
    }

    private static void agree(Case tried, long seed, double tolerance) {
        SimulationResult.Turns simulated = tried.simulated(seed);
        assertThat(tried.kept().hitRate() / simulated.hitRate()).isCloseTo(1, within(tolerance));
        assertThat(new TurnLengths(tried.conversation, PrefixCacheRetention.PROMPT_AND_ANSWER)
                                .mean()
                                .halfwayTokens()
                        / simulated.contextTokens())
                .isCloseTo(1, within(0.01));
    }
}
