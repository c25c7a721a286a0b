package io.throughputoptimizer.core.load;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.core.load.BestConcurrency.Check;
import io.throughputoptimizer.core.load.BestConcurrency.Found;
import io.throughputoptimizer.core.load.BestConcurrency.Preference;
import io.throughputoptimizer.core.load.Breach.Limit;
import io.throughputoptimizer.core.load.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConcurrencyOfPairsTest {
    /// Most sequences of an engine.
    private static final int MOST = 1024;
    private static final Traffic TRAFFIC = new Traffic(new SpreadLengths(4096, 512, 0.8), 0, 10, 0, null);

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void pairStandsAtTheConcurrencyThatTryingThemAllFinds(long seed) {
        Random random = new Random(seed);
        Pair pair = Pair.random(random);
        Limits limits = randomLimits(random);
        Found found = pair.search(limits, ConcurrencySampling.EVERY_SUMMIT);
        double most = pair.mostTokensPerSecond(limits);
        assertThat(tokensPerSecond(found)).isEqualTo(most);
        assertThat(found.breaches().isEmpty()).isEqualTo(most > 0);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void scanAroundTheBestSummitsFindsPairsThatAreHardlyWorse(long seed) {
        Random random = new Random(seed);
        Pair pair = Pair.random(random);
        Limits limits = randomLimits(random);
        Found all = pair.search(limits, ConcurrencySampling.EVERY_SUMMIT);
        Found some = pair.search(limits, ConcurrencySampling.BEST_SUMMITS);
        assertThat(some.best() == null).isEqualTo(all.best() == null);
        assertThat(some.evaluations()).isLessThanOrEqualTo(all.evaluations());
        assertThat(tokensPerSecond(some)).isGreaterThanOrEqualTo(0.995 * tokensPerSecond(all));
    }

    @Test
    void settledLimitLeavesTheOpeningBurstOut() {
        ServingRank rank = new ServingRank(Ranks.FAST, 1e6, Ranks.MIXED, CacheUse.TOKENS);
        Pair pair = new Pair(new Workers(rank, 1), new Workers(rank, 1));
        double benchmark = concurrency(pair, TtftBasis.BENCHMARK);
        assertThat(concurrency(pair, TtftBasis.SETTLED)).isGreaterThan(benchmark);
    }

    @Test
    void decodeSideWithoutMemoryIsRejectedForIt() {
        ServingRank none = new ServingRank(Ranks.FAST, 100, Ranks.MIXED, CacheUse.TOKENS);
        Limits any = new Limits(null, null, TtftBasis.BENCHMARK, null);
        Found found =
                new Pair(new Workers(none, 2), new Workers(none, 3)).search(any, ConcurrencySampling.EVERY_SUMMIT);
        assertThat(found.best()).isNull();
        assertThat(found.tried()).isEmpty();
        assertThat(found.breaches()).singleElement().returns(Limit.KV_TOKENS, Breach::limit);
    }

    /// No simulation knows workers of two kinds.
    @Test
    void percentileIsRefused() {
        Limits tail = new Limits(1000.0, null, TtftBasis.BENCHMARK, 99.0);
        assertThatThrownBy(() -> Check.ofMeans(tail, () -> {})).isInstanceOf(IllegalArgumentException.class);
    }

    private static double concurrency(Pair pair, TtftBasis basis) {
        return requireNonNull(pair.search(new Limits(600.0, null, basis, null), ConcurrencySampling.EVERY_SUMMIT)
                        .best())
                .concurrency();
    }

    private static double tokensPerSecond(Found found) {
        return found.best() == null ? 0 : found.best().outputTokensPerSecond();
    }

    private static Limits randomLimits(Random random) {
        return new Limits(Ranks.between(random, 200, 10_000), Ranks.between(random, 5, 60), TtftBasis.BENCHMARK, null);
    }

    private record Pair(Workers prefill, Workers decode) {
        private static Pair random(Random random) {
            return new Pair(workers(random), workers(random));
        }

        private static Workers workers(Random random) {
            ServingRank rank = new ServingRank(
                    Ranks.random(random), Ranks.between(random, 20_000, 1e6), Ranks.MIXED, CacheUse.TOKENS);
            return new Workers(rank, 1 + random.nextInt(6));
        }

        private DisaggregatedLaw law() {
            return new DisaggregatedLaw(prefill, decode, TRAFFIC.mean(), TRAFFIC.waves(), 0);
        }

        private Found search(Limits limits, ConcurrencySampling scan) {
            RankBatches all = RankBatches.unasked(decode.rank(), TRAFFIC.mean(), decode.ranks(), MOST);
            return new BestConcurrency(
                            scan, Preference.MOST_TOKENS, law()::at, Check.ofMeans(limits, () -> {}), _ -> true)
                    .search(all.least(), all.most(), true);
        }

        private double mostTokensPerSecond(Limits limits) {
            DisaggregatedLaw law = law();
            return IntStream.rangeClosed(1, 512 * decode.ranks())
                    .mapToObj(law::at)
                    .filter(outcome -> Breach.of(limits, outcome).isEmpty())
                    .mapToDouble(outcome -> ((SteadyFigures) outcome).outputTokensPerSecond())
                    .max()
                    .orElse(0);
        }
    }
}
