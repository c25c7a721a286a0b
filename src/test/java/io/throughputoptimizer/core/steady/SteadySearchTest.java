package io.throughputoptimizer.core.steady;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.steady.Breach.Limit;
import io.throughputoptimizer.core.steady.EngineSettings.Policy;
import io.throughputoptimizer.core.steady.EngineSettings.Scheduling;
import io.throughputoptimizer.core.steady.SteadySearch.Candidate;
import io.throughputoptimizer.core.steady.SteadySearch.Ranking;
import io.throughputoptimizer.core.steady.SteadySearch.Rejection;
import io.throughputoptimizer.core.steady.SteadySearch.Row;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
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

class SteadySearchTest {
    private static final Limits NONE = new Limits(null, null, TtftBasis.BENCHMARK, null);
    private static final Traffic TRAFFIC = new Traffic(new RequestLengths(1024, 256, 0.8), 0, 10, 0, null);

    static LongStream seeds() {
        return LongStream.range(0, 300);
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
        Candidate<String> candidate = candidate("any", randomRank(random));
        Ranking<String> ranking = new SteadySearch(traffic, limits, batches).run(List.of(candidate), () -> {});
        Optional<SteadyFigures> best = bestOfAll(traffic, limits, batches, candidate);
        assertThat(ranking.rows().stream().map(Row::figures))
                .containsExactlyElementsOf(best.stream().toList());
        assertThat(ranking.rejections()).hasSize(best.isPresent() ? 0 : 1);
        assertThat(ranking.simulations()).isZero();
        assertThat(ranking.evaluations()).isLessThan(60);
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
        Candidate<String> candidate = candidate("any", randomRank(random));
        Ranking<String> ranking = new SteadySearch(traffic, limits, batches, Preference.MOST_TOKENS, Scan.BEST_SUMMITS)
                .run(List.of(candidate), () -> {});
        Optional<SteadyFigures> best = bestOfAll(traffic, limits, batches, candidate);
        assertThat(ranking.rows()).hasSize(best.isPresent() ? 1 : 0);
        best.ifPresent(figures -> {
            SteadyFigures found = ranking.rows().getFirst().figures();
            assertThat(found.outputTokensPerSecond()).isGreaterThan(0.995 * figures.outputTokensPerSecond());
            assertThat(Breach.of(limits, found)).isEmpty();
            assertThat(new SteadyLaw(candidate.rank(), traffic.mean(), traffic.waves()).at(found.concurrency()))
                    .isEqualTo(found);
        });
        assertThat(ranking.evaluations()).isLessThanOrEqualTo(Scan.BEST_SUMMITS.mostTried(batches.most()));
    }

    @Test
    void rowsAreThoseOfTheDeploymentAndTheMostTokensComeFirst() {
        ServingRank rank = new ServingRank(Ranks.FAST, 50_000, Ranks.MIXED);
        List<Candidate<String>> candidates = List.of(
                new Candidate<>("slow", new ServingRank(Ranks.SLOW, 50_000, Ranks.MIXED), 2, 4),
                new Candidate<>("fast", rank, 2, 4),
                new Candidate<>("few", rank, 2, 1));
        Ranking<String> ranking = search(NONE).run(candidates, () -> {});
        assertThat(ranking.rows()).extracting(row -> row.candidate().layout()).containsExactly("fast", "slow", "few");
        Row<String> fast = ranking.rows().getFirst();
        Row<String> few = ranking.rows().getLast();
        assertThat(fast.rankConcurrency()).isEqualTo(few.rankConcurrency());
        assertThat(fast.rankConcurrency()).isEqualTo((int) Math.ceil(rank.capacity(TRAFFIC.mean())));
        assertThat(fast.concurrency()).isEqualTo(8L * fast.rankConcurrency());
        assertThat(fast.outputTokensPerSecond()).isEqualTo(4 * few.outputTokensPerSecond());
        assertThat(fast.requestsPerSecond()).isEqualTo(8 * fast.figures().requestsPerSecond());
    }

    @Test
    void layoutThatKeepsNoLimitSaysByHowMuchAtOneRequestARank() {
        Limits tight = new Limits(10.0, 5.0, TtftBasis.BENCHMARK, null);
        List<Candidate<String>> candidates = List.of(
                candidate("slow", Ranks.rank(Ranks.SLOW, Ranks.MIXED)),
                candidate("small", new ServingRank(Ranks.SLOW, 100, Ranks.MIXED)));
        Ranking<String> ranking = search(tight).run(candidates, () -> {});
        assertThat(ranking.rows()).isEmpty();
        SteadyFigures alone =
                (SteadyFigures) new SteadyLaw(candidates.getFirst().rank(), TRAFFIC.mean(), TRAFFIC.waves()).at(1);
        assertThat(ranking.rejections())
                .extracting(Rejection::breaches)
                .containsExactly(
                        List.of(
                                new Breach(Limit.TTFT_MILLIS, alone.ttft().benchmarkMillis(), 10),
                                new Breach(Limit.TPOT_MILLIS, alone.tpotMillis(), 5)),
                        List.of(new Breach(Limit.KV_TOKENS, TRAFFIC.mean().cachedTokens(), 100)));
    }

    @Test
    void withoutLimitsAndMemoryBoundAtMost512RequestsARankAreTried() {
        Ranking<String> ranking =
                search(NONE).run(List.of(candidate("any", Ranks.rank(Ranks.FAST, Ranks.MIXED))), () -> {});
        assertThat(ranking.rows().getFirst().rankConcurrency()).isEqualTo(512);
    }

    /// A rank whose cache holds 2.6 requests runs a third one part of the time.
    @Test
    void requestThatRunsPartOfTheTimeIsTried() {
        ServingRank rank = new ServingRank(Ranks.FAST, 2.6 * TRAFFIC.mean().cachedTokens(), Ranks.MIXED);
        SteadyFigures best = search(NONE)
                .run(List.of(candidate("any", rank)), () -> {})
                .rows()
                .getFirst()
                .figures();
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
        Candidate<String> candidate = candidate("any", Ranks.rank(Ranks.FAST, Ranks.MIXED));
        Ranking<String> ranking = search(tail).run(List.of(candidate), () -> {});
        int best = ranking.rows().getFirst().rankConcurrency();
        assertThat(percentileBreaches(tail, candidate, best)).isEmpty();
        assertThat(percentileBreaches(tail, candidate, best + 1)).isNotEmpty();
        assertThat(ranking.simulations()).isBetween(5, 20);
        Limits mean = new Limits(1500.0, 30.0, TtftBasis.BENCHMARK, null);
        assertThat(search(mean)
                        .run(List.of(candidate), () -> {})
                        .rows()
                        .getFirst()
                        .rankConcurrency())
                .isGreaterThan(best);
    }

    @Test
    void settledPercentilesAllowMoreThanThoseOfAWholeBenchmark() {
        Candidate<String> candidate = candidate("any", Ranks.rank(Ranks.FAST, Ranks.MIXED));
        int benchmark = bestWithTail(candidate, TtftBasis.BENCHMARK);
        assertThat(bestWithTail(candidate, TtftBasis.SETTLED)).isGreaterThan(2 * benchmark);
    }

    @Test
    void requestsAtARateAreSimulatedOnceForEachLayout() {
        Candidate<String> candidate = new Candidate<>("any", limited(), 1, 2);
        double highest = candidate.highestRatePerSecond(TRAFFIC);
        Limits tail = new Limits(2000.0, 100.0, TtftBasis.BENCHMARK, 90.0);
        Ranking<String> ranking = rated(tail, 0.5 * highest).run(List.of(candidate), () -> {});
        assertThat(ranking.rows()).hasSize(1);
        assertThat(ranking.simulations()).isEqualTo(1);
        SimulationResult simulated = ServingSimulation.run(
                candidate.rank(),
                new SimulatedLoad(TRAFFIC.lengths(), 300, 0, new Arrivals.OpenLoop(0.25 * highest, 1)),
                () -> {});
        Limits below = new Limits(simulated.ttft().p90() * 0.999, null, TtftBasis.BENCHMARK, 90.0);
        assertThat(rated(below, 0.5 * highest).run(List.of(candidate), () -> {}).rejections())
                .extracting(Rejection::breaches)
                .containsExactly(List.of(new Breach(
                        Limit.TTFT_MILLIS,
                        simulated.ttft().p90(),
                        simulated.ttft().p90() * 0.999)));
    }

    @Test
    void rateThatSaturatesALayoutIsAnsweredWithTheHighestThatDoesNot() {
        Candidate<String> candidate = new Candidate<>("any", limited(), 1, 2);
        double highest = candidate.highestRatePerSecond(TRAFFIC);
        Limits tail = new Limits(1e9, null, TtftBasis.BENCHMARK, 90.0);
        Ranking<String> ranking = rated(tail, 1.01 * highest).run(List.of(candidate), () -> {});
        assertThat(ranking.rejections())
                .extracting(Rejection::breaches)
                .containsExactly(List.of(new Breach(Limit.REQUEST_RATE, 1.01 * highest, highest)));
        assertThat(ranking.simulations()).isZero();
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
        assertThatThrownBy(() -> search(NONE)
                        .run(List.of(candidate("any", Ranks.rank(Ranks.FAST, Ranks.MIXED))), () -> {
                            throw new CancellationException();
                        }))
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

    private static int bestWithTail(Candidate<String> candidate, TtftBasis basis) {
        Limits tail = new Limits(800.0, null, basis, 99.0);
        return search(tail).run(List.of(candidate), () -> {}).rows().getFirst().rankConcurrency();
    }

    private static List<Breach> percentileBreaches(Limits limits, Candidate<String> candidate, int concurrency) {
        SimulationResult result =
                ServingSimulation.run(candidate.rank(), TRAFFIC.closedLoop(concurrency, limits.basis()), () -> {});
        return Breach.of(limits, result, requireNonNull(limits.percentile()));
    }

    private static Optional<SteadyFigures> bestOfAll(
            Traffic traffic, Limits limits, @Nullable RankBatches batches, Candidate<String> candidate) {
        RankBatches all = batches == null ? RankBatches.unaskedOfOne(candidate.rank(), traffic.mean()) : batches;
        SteadyLaw law = new SteadyLaw(candidate.rank(), traffic.mean(), traffic.waves());
        return IntStream.rangeClosed(all.least(), all.most())
                .mapToObj(law::at)
                .filter(outcome -> Breach.of(limits, outcome).isEmpty())
                .flatMap(outcome -> outcome instanceof SteadyFigures figures ? Stream.of(figures) : Stream.empty())
                .max(Comparator.comparingDouble(SteadyFigures::outputTokensPerSecond));
    }

    private static SteadySearch search(Limits limits) {
        return new SteadySearch(TRAFFIC, limits, null);
    }

    private static SteadySearch rated(Limits limits, double rate) {
        Traffic traffic = new Traffic(TRAFFIC.lengths(), 0, 10, 0, new Traffic.Rate(rate, 300, 1));
        return new SteadySearch(traffic, limits, null);
    }

    private static ServingRank limited() {
        return Ranks.rank(Ranks.FAST, Ranks.engine(new Scheduling(Policy.MIXED, 8192, 32, Scheduling.NO_LIMIT)));
    }

    private static Candidate<String> candidate(String layout, ServingRank rank) {
        return new Candidate<>(layout, rank, 1, 1);
    }

    private static Traffic randomTraffic(Random random) {
        RequestLengths lengths =
                new RequestLengths(1 + random.nextInt(8192), 1 + random.nextInt(2048), Ranks.between(random, 0.1, 1));
        return new Traffic(lengths, random.nextBoolean() ? 0 : random.nextDouble(), 10, 0, null);
    }

    private static ServingRank randomRank(Random random) {
        double kvTokens = random.nextBoolean() ? Double.POSITIVE_INFINITY : Ranks.between(random, 2000, 1e6);
        return new ServingRank(Ranks.random(random), kvTokens, random.nextBoolean() ? Ranks.MIXED : Ranks.ALTERNATE);
    }
}
