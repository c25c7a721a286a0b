package io.throughputoptimizer.core.load;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.load.BestConcurrency.Found;
import io.throughputoptimizer.core.load.BestConcurrency.Preference;
import io.throughputoptimizer.core.load.Breach.Limit;
import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Nightly;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConcurrencyOfRanksTest {
    /// Most sequences of an engine.
    private static final int MOST = 1024;
    private static final Limits NONE = new Limits(null, null, TtftBasis.BENCHMARK, null);
    private static final Traffic TRAFFIC = new Traffic(new SpreadLengths(1024, 256, 0.8), 0, 10, 0, null);

    static LongStream seeds() {
        return Nightly.seeds(50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void layoutStandsAtTheConcurrencyThatTryingThemAllFinds(long seed) {
        Random random = new Random(seed);
        Traffic traffic = randomTraffic(random);
        Limits limits = new Limits(
                random.nextInt(3) == 0 ? null : Ranks.between(random, 100, 20_000),
                random.nextInt(3) == 0 ? null : Ranks.between(random, 5, 100),
                random.nextBoolean() ? TtftBasis.BENCHMARK : TtftBasis.SETTLED,
                null);
        RankBatches batches = random.nextBoolean() ? null : new RankBatches(1 + random.nextInt(20), 300);
        ServingRank rank = randomRank(random);
        Found found = new Search(traffic, limits, batches, ConcurrencySampling.EVERY_SUMMIT).of(rank, 1);
        Optional<SteadyFigures> best = bestOfAll(traffic, limits, batches, rank);
        assertThat(Optional.ofNullable(found.best())).isEqualTo(best);
        assertThat(found.breaches().isEmpty()).isEqualTo(best.isPresent());
        assertThat(found.simulations()).isZero();
        assertThat(found.evaluations()).isLessThan(60);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void scanAroundTheBestSummitsFindsAPlanThatIsHardlyWorse(long seed) {
        Random random = new Random(seed);
        Traffic traffic = randomTraffic(random);
        Limits limits = new Limits(
                random.nextInt(3) == 0 ? null : Ranks.between(random, 100, 20_000),
                random.nextInt(3) == 0 ? null : Ranks.between(random, 5, 100),
                TtftBasis.BENCHMARK,
                null);
        RankBatches batches = new RankBatches(1, 1 + random.nextInt(512));
        ServingRank rank = randomRank(random);
        Found search = new Search(traffic, limits, batches, ConcurrencySampling.BEST_SUMMITS).of(rank, 1);
        Optional<SteadyFigures> best = bestOfAll(traffic, limits, batches, rank);
        assertThat(search.best() != null).isEqualTo(best.isPresent());
        best.ifPresent(figures -> {
            SteadyFigures found = figures(search);
            assertThat(found.outputTokensPerSecond()).isGreaterThan(0.995 * figures.outputTokensPerSecond());
            assertThat(Breach.of(limits, found)).isEmpty();
            assertThat(new SteadyLaw(rank, traffic.mean(), traffic.waves()).at(found.concurrency()))
                    .isEqualTo(found);
        });
        assertThat(search.evaluations())
                .isLessThanOrEqualTo(ConcurrencySampling.BEST_SUMMITS.mostTried(batches.most()));
    }

    @Test
    void concurrencyIsThatOfOneRankHoweverManyThereAre() {
        ServingRank rank = new ServingRank(Ranks.FAST, 50_000, Ranks.MIXED, CacheUse.TOKENS);
        SteadyFigures best = figures(search(NONE).of(rank, 8));
        assertThat(best).isEqualTo(figures(search(NONE).of(rank, 2)));
        assertThat(best.concurrency()).isEqualTo(Math.ceil(rank.capacity(TRAFFIC.mean())));
    }

    @Test
    void moreRequestsThanCanBeTriedAreABreach() {
        ServingRank rank = Ranks.rank(Ranks.FAST, Ranks.MIXED);
        Found found = new BestConcurrency(
                        ConcurrencySampling.EVERY_SUMMIT,
                        Preference.MOST_TOKENS,
                        new SteadyLaw(rank, TRAFFIC.mean(), TRAFFIC.waves())::at,
                        BestConcurrency.Check.ofMeans(NONE, () -> {}),
                        _ -> true)
                .search(9, 8, true);
        assertThat(found)
                .isEqualTo(new Found(null, null, List.of(new Breach(Limit.CONCURRENCY, 9, 8)), List.of(), 0, 0));
    }

    @Test
    void layoutThatKeepsNoLimitSaysByHowMuchAtOneRequestARank() {
        Limits tight = new Limits(10.0, 5.0, TtftBasis.BENCHMARK, null);
        ServingRank slow = Ranks.rank(Ranks.SLOW, Ranks.MIXED);
        SteadyFigures alone = (SteadyFigures) new SteadyLaw(slow, TRAFFIC.mean(), TRAFFIC.waves()).at(1);
        assertThat(search(tight).of(slow, 1).breaches())
                .containsExactly(
                        new Breach(Limit.TTFT_MILLIS, alone.ttft().benchmarkMillis(), 10),
                        new Breach(Limit.TPOT_MILLIS, alone.tpotMillis(), 5));
        Found small = search(tight).of(new ServingRank(Ranks.SLOW, 100, Ranks.MIXED, CacheUse.TOKENS), 1);
        assertThat(small.best()).isNull();
        assertThat(small.breaches())
                .containsExactly(new Breach(Limit.KV_TOKENS, TRAFFIC.mean().cachedTokens(), 100));
        assertThat(small.tried()).isEmpty();
    }

    @Test
    void triesTheMostSequencesOfTheEngineWithoutLimitsAndMemoryBound() {
        Found found = search(NONE).of(Ranks.rank(Ranks.FAST, Ranks.MIXED), 1);
        assertThat(figures(found).concurrency()).isEqualTo(MOST);
    }

    /// A rank whose cache holds 2.6 requests runs a third one part of the time.
    @Test
    void requestThatRunsPartOfTheTimeIsTried() {
        ServingRank rank =
                new ServingRank(Ranks.FAST, 2.6 * TRAFFIC.mean().cachedTokens(), Ranks.MIXED, CacheUse.TOKENS);
        SteadyFigures best = figures(search(NONE).of(rank, 1));
        assertThat(best.concurrency()).isEqualTo(3);
        assertThat(best.steps().running()).isCloseTo(2.6, withinPercentage(1e-9));
        double two = new SteadyLaw(rank, TRAFFIC.mean(), 10).at(2) instanceof SteadyFigures figures
                ? figures.outputTokensPerSecond()
                : 0;
        assertThat(best.outputTokensPerSecond()).isGreaterThan(1.1 * two);
    }

    @Test
    void limitOnAPercentileIsKeptBySimulationAndNotByTheNextConcurrency() {
        Limits tail = new Limits(1500.0, 30.0, TtftBasis.BENCHMARK, 99.0);
        ServingRank rank = Ranks.rank(Ranks.FAST, Ranks.MIXED);
        Found found = search(tail).of(rank, 1);
        int best = (int) figures(found).concurrency();
        assertThat(percentileBreaches(tail, rank, best)).isEmpty();
        assertThat(percentileBreaches(tail, rank, best + 1)).isNotEmpty();
        assertThat(found.simulations()).isBetween(5, 20);
        assertThat(found.tried()).hasSize(found.simulations());
        Limits mean = new Limits(1500.0, 30.0, TtftBasis.BENCHMARK, null);
        assertThat(figures(search(mean).of(rank, 1)).concurrency()).isGreaterThan(best);
    }

    @Test
    void settledPercentilesAllowMoreThanThoseOfAWholeBenchmark() {
        double benchmark = bestWithTail(TtftBasis.BENCHMARK);
        assertThat(bestWithTail(TtftBasis.SETTLED)).isGreaterThan(2 * benchmark);
    }

    @Test
    void requestsAtARateAreSimulatedOnceForEachLayout() {
        double highest = highestRateOfTwo();
        Limits tail = new Limits(2000.0, 100.0, TtftBasis.BENCHMARK, 90.0);
        Found found = rated(tail, 0.5 * highest).of(limited(), 2);
        assertThat(found.best()).isNotNull();
        assertThat(found.simulations()).isEqualTo(1);
        SimulationResult simulated = ServingSimulation.run(
                limited(),
                new SimulatedLoad(TRAFFIC.lengths(), 300, 0, new Arrivals.OpenLoop(0.25 * highest, 1)),
                () -> {});
        Limits below = new Limits(simulated.ttft().p90() * 0.999, null, TtftBasis.BENCHMARK, 90.0);
        assertThat(rated(below, 0.5 * highest).of(limited(), 2).breaches())
                .containsExactly(new Breach(
                        Limit.TTFT_MILLIS,
                        simulated.ttft().p90(),
                        simulated.ttft().p90() * 0.999));
    }

    @Test
    void rateThatSaturatesALayoutIsAnsweredWithTheHighestThatDoesNot() {
        double highest = highestRateOfTwo();
        Limits tail = new Limits(1e9, null, TtftBasis.BENCHMARK, 90.0);
        Found found = rated(tail, 1.01 * highest).of(limited(), 2);
        assertThat(found.breaches()).containsExactly(new Breach(Limit.REQUEST_RATE, 1.01 * highest, highest));
        assertThat(found.simulations()).isZero();
    }

    @Test
    void queueOfASaturatedRateGrowsWithTheRequestsAndThatOfALowerOneDoesNot() {
        ServingRank rank = limited();
        double highest = new SteadyLaw(rank, TRAFFIC.mean(), 10).highestRatePerSecond();
        assertThat(longRun(rank, 1.2 * highest) / shortRun(rank, 1.2 * highest)).isGreaterThan(2.5);
        assertThat(longRun(rank, 0.8 * highest) / shortRun(rank, 0.8 * highest)).isLessThan(1.2);
    }

    @Test
    void searchEndsWhereItsCallerWantsItTo() {
        Search search = new Search(TRAFFIC, NONE, null, ConcurrencySampling.EVERY_SUMMIT, () -> {
            throw new CancellationException();
        });
        assertThatThrownBy(() -> search.of(Ranks.rank(Ranks.FAST, Ranks.MIXED), 1))
                .isInstanceOf(CancellationException.class);
    }

    private static double longRun(ServingRank rank, double rate) {
        return meanTtft(rank, rate, 4000);
    }

    private static double shortRun(ServingRank rank, double rate) {
        return meanTtft(rank, rate, 1000);
    }

    private static double meanTtft(ServingRank rank, double rate, int requests) {
        SimulatedLoad load = new SimulatedLoad(TRAFFIC.lengths(), requests, 0, new Arrivals.OpenLoop(rate, 1));
        return ServingSimulation.run(rank, load, () -> {}).ttft().mean();
    }

    private static double bestWithTail(TtftBasis basis) {
        Limits tail = new Limits(800.0, null, basis, 99.0);
        return figures(search(tail).of(Ranks.rank(Ranks.FAST, Ranks.MIXED), 1)).concurrency();
    }

    private static List<Breach> percentileBreaches(Limits limits, ServingRank rank, int concurrency) {
        SimulationResult result =
                ServingSimulation.run(rank, TRAFFIC.closedLoop(concurrency, limits.basis()), () -> {});
        return Breach.of(limits, result, requireNonNull(limits.percentile()));
    }

    private static Optional<SteadyFigures> bestOfAll(
            Traffic traffic, Limits limits, @Nullable RankBatches batches, ServingRank rank) {
        RankBatches all = batches == null ? RankBatches.unaskedOfOne(rank, traffic.mean(), MOST) : batches;
        SteadyLaw law = new SteadyLaw(rank, traffic.mean(), traffic.waves());
        return IntStream.rangeClosed(all.least(), all.most())
                .mapToObj(law::at)
                .filter(outcome -> Breach.of(limits, outcome).isEmpty())
                .flatMap(outcome -> outcome instanceof SteadyFigures figures ? Stream.of(figures) : Stream.empty())
                .max(Comparator.comparingDouble(SteadyFigures::outputTokensPerSecond));
    }

    /// A search of equal ranks.
    private record Search(
            Traffic traffic,
            Limits limits,
            @Nullable RankBatches batches,
            ConcurrencySampling scan,
            Runnable checkpoint) {
        private Search(Traffic traffic, Limits limits, @Nullable RankBatches batches, ConcurrencySampling scan) {
            this(traffic, limits, batches, scan, () -> {});
        }

        private Found of(ServingRank rank, int ranks) {
            RankBatches tried = batches == null ? RankBatches.unaskedOfOne(rank, traffic.mean(), MOST) : batches;
            SteadyLaw law = new SteadyLaw(rank, traffic.mean(), traffic.waves());
            RankCheck check = new RankCheck(traffic, limits, rank, ranks, checkpoint);
            return new BestConcurrency(scan, Preference.MOST_TOKENS, law::at, check, _ -> true)
                    .search(tried.least(), tried.most(), limits.percentile() == null);
        }
    }

    private static SteadyFigures figures(Found found) {
        return requireNonNull(found.best());
    }

    private static Search search(Limits limits) {
        return new Search(TRAFFIC, limits, null, ConcurrencySampling.EVERY_SUMMIT);
    }

    private static Search rated(Limits limits, double rate) {
        Traffic traffic = new Traffic(TRAFFIC.lengths(), 0, 10, 0, new Traffic.Rate(rate, 300, 1));
        return new Search(traffic, limits, null, ConcurrencySampling.EVERY_SUMMIT);
    }

    private static double highestRateOfTwo() {
        return 2 * new SteadyLaw(limited(), TRAFFIC.mean(), TRAFFIC.waves()).highestRatePerSecond();
    }

    private static ServingRank limited() {
        return Ranks.rank(Ranks.FAST, Ranks.engine(new Scheduling(Policy.MIXED, 8192, 32, Scheduling.NO_LIMIT)));
    }

    private static Traffic randomTraffic(Random random) {
        RequestLengths lengths =
                new SpreadLengths(1 + random.nextInt(8192), 1 + random.nextInt(2048), Ranks.between(random, 0.1, 1));
        return new Traffic(lengths, random.nextBoolean() ? 0 : random.nextDouble(), 10, 0, null);
    }

    private static ServingRank randomRank(Random random) {
        double kvTokens = random.nextBoolean() ? Double.POSITIVE_INFINITY : Ranks.between(random, 2000, 1e6);
        return new ServingRank(
                Ranks.random(random), kvTokens, random.nextBoolean() ? Ranks.MIXED : Ranks.ALTERNATE, CacheUse.TOKENS);
    }
}
