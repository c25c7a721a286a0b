package io.throughputoptimizer.core.steady;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.core.steady.Breach.Limit;
import io.throughputoptimizer.core.steady.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Candidate;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Counts;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Numbers;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Ranking;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Rejection;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Row;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Stock;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Worker;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DisaggregatedSearchTest {
    private static final Traffic TRAFFIC = new Traffic(new RequestLengths(4096, 512, 0.8), 0, 10, 0, null);
    private static final Stock STOCK = new Stock(16, 2, 4);

    @Test
    void countsLeaveNoRoomForOneMoreWorker() {
        assertThat(STOCK.counts()).containsExactly(new Counts(2, 3), new Counts(4, 2), new Counts(6, 1));
        assertThat(new Stock(16, 4, 4).counts()).containsExactly(new Counts(1, 3), new Counts(2, 2), new Counts(3, 1));
        assertThat(new Stock(9, 4, 4).counts()).containsExactly(new Counts(1, 1));
        assertThat(new Stock(7, 4, 4).counts()).isEmpty();
    }

    /// How many there are is known without making them.
    @ParameterizedTest
    @MethodSource("seeds")
    void countsAreCountedWithoutBeingMade(long seed) {
        Random random = new Random(seed);
        for (Numbers numbers : Numbers.values()) {
            int devices = 1 + random.nextInt(90);
            int ofDecode = numbers == Numbers.APART ? 1 + random.nextInt(30) : devices;
            Stock stock = new Stock(devices, ofDecode, 1 + random.nextInt(40), 1 + random.nextInt(40), numbers);
            assertThat(stock.mostCounts())
                    .as(stock.toString())
                    .isEqualTo(stock.counts().size());
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyCountAndPairOfLayoutsStandsAtItsBestConcurrencyInTheOrderOfTokensPerDevice(long seed) {
        Random random = new Random(seed);
        List<Worker<String>> prefill = List.of(worker("p1", random), worker("p2", random));
        List<Worker<String>> decode = List.of(worker("d1", random), worker("d2", random));
        Limits limits =
                new Limits(Ranks.between(random, 200, 10_000), Ranks.between(random, 5, 60), TtftBasis.BENCHMARK, null);
        Ranking<String> ranking = new DisaggregatedSearch(TRAFFIC, limits, null).run(STOCK, prefill, decode, () -> {});
        assertThat(ranking.rows().size() + ranking.rejections().size()).isEqualTo(3 * 2 * 2);
        assertThat(ranking.rows())
                .isSortedAccordingTo(Comparator.comparingDouble(row -> -row.outputTokensPerSecondPerDevice()));
        for (Row<String> row : ranking.rows()) {
            Counts counts = row.candidate().counts();
            assertThat(row.devicesUsed()).isEqualTo(2 * counts.prefill() + 4 * counts.decode());
            assertThat(row.figures().outputTokensPerSecond()).isEqualTo(mostTokensPerSecond(row.candidate(), limits));
        }
        for (Rejection<String> rejection : ranking.rejections()) {
            assertThat(mostTokensPerSecond(rejection.candidate(), limits)).isZero();
            assertThat(rejection.breaches()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void scanAroundTheBestSummitsFindsPairsThatAreHardlyWorse(long seed) {
        Random random = new Random(seed);
        List<Worker<String>> prefill = List.of(worker("p1", random), worker("p2", random));
        List<Worker<String>> decode = List.of(worker("d1", random), worker("d2", random));
        Limits limits =
                new Limits(Ranks.between(random, 200, 10_000), Ranks.between(random, 5, 60), TtftBasis.BENCHMARK, null);
        DisaggregatedSearch closely = new DisaggregatedSearch(TRAFFIC, limits, null);
        DisaggregatedSearch lessClosely =
                new DisaggregatedSearch(TRAFFIC, limits, null, Preference.MOST_TOKENS, Scan.BEST_SUMMITS, 0);
        Ranking<String> all = closely.run(STOCK, prefill, decode, () -> {});
        Ranking<String> some = lessClosely.run(STOCK, prefill, decode, () -> {});
        assertThat(some.rows()).hasSameSizeAs(all.rows());
        assertThat(some.evaluations()).isLessThanOrEqualTo(all.evaluations());
        if (!all.rows().isEmpty()) {
            assertThat(some.rows().getFirst().outputTokensPerSecondPerDevice())
                    .isGreaterThan(0.995 * all.rows().getFirst().outputTokensPerSecondPerDevice());
        }
    }

    @Test
    void settledLimitLeavesTheOpeningBurstOut() {
        Worker<String> worker = new Worker<>("any", new ServingRank(Ranks.FAST, 1e6, Ranks.MIXED), 1);
        double benchmark = concurrency(worker, TtftBasis.BENCHMARK);
        assertThat(concurrency(worker, TtftBasis.SETTLED)).isGreaterThan(benchmark);
    }

    @Test
    void decodeSideWithoutMemoryIsRejectedForIt() {
        Worker<String> none = new Worker<>("any", new ServingRank(Ranks.FAST, 100, Ranks.MIXED), 1);
        Limits any = new Limits(null, null, TtftBasis.BENCHMARK, null);
        Ranking<String> ranking =
                new DisaggregatedSearch(TRAFFIC, any, null).run(STOCK, List.of(none), List.of(none), () -> {});
        assertThat(ranking.rows()).isEmpty();
        assertThat(ranking.rejections())
                .hasSize(3)
                .allSatisfy(rejection ->
                        assertThat(rejection.breaches()).singleElement().returns(Limit.KV_TOKENS, Breach::limit));
    }

    @Test
    void percentileIsRefused() {
        Limits tail = new Limits(1000.0, null, TtftBasis.BENCHMARK, 99.0);
        assertThatThrownBy(() -> new DisaggregatedSearch(TRAFFIC, tail, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static double concurrency(Worker<String> worker, TtftBasis basis) {
        Limits limits = new Limits(600.0, null, basis, null);
        Row<String> best = new DisaggregatedSearch(TRAFFIC, limits, null)
                .run(new Stock(8, 4, 4), List.of(worker), List.of(worker), () -> {})
                .rows()
                .getFirst();
        assertThat(best.candidate().counts()).isEqualTo(new Counts(1, 1));
        return best.figures().concurrency();
    }

    private static double mostTokensPerSecond(Candidate<String> candidate, Limits limits) {
        Worker<String> decode = candidate.decode();
        int decodeRanks = candidate.counts().decode() * decode.dp();
        DisaggregatedLaw law = new DisaggregatedLaw(
                new Workers(
                        candidate.prefill().rank(),
                        candidate.counts().prefill() * candidate.prefill().dp()),
                new Workers(decode.rank(), decodeRanks),
                TRAFFIC.mean(),
                TRAFFIC.waves());
        return IntStream.rangeClosed(1, 512 * decodeRanks)
                .mapToObj(law::at)
                .filter(outcome -> Breach.of(limits, outcome).isEmpty())
                .mapToDouble(outcome -> ((DisaggregatedFigures) outcome).outputTokensPerSecond())
                .max()
                .orElse(0);
    }

    private static Worker<String> worker(String name, Random random) {
        ServingRank rank = new ServingRank(Ranks.random(random), Ranks.between(random, 20_000, 1e6), Ranks.MIXED);
        return new Worker<>(name, rank, 1 + random.nextInt(2));
    }
}
