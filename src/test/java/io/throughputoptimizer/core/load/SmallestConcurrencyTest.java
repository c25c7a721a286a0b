package io.throughputoptimizer.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.load.BestConcurrency.Preference;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// Of concurrencies that are worth the same within 0.1 % the smallest counts.
class SmallestConcurrencyTest {

    @Test
    void aPlateauIsEnteredWhereItBegins() {
        assertThat(best(concurrency -> Math.min(concurrency, 37) + concurrency / 1e6))
                .isEqualTo(37);
    }

    @Test
    void whatIsWorthMoreTakesItsRequests() {
        assertThat(best(concurrency -> Math.min(concurrency, 37) + concurrency / 1e3))
                .isEqualTo(400);
    }

    @Test
    void theBestReliableConcurrencyTakesThePlaceOfAnUnreliableOne() {
        BestConcurrency search = search(concurrency -> concurrency, figures -> figures.concurrency() <= 123);
        assertThat(search.find(1, 400)).map(SteadyFigures::concurrency).contains(123.0);
        assertThat(search.beyond(figures(123)).unreliable()).isEqualTo(figures(400));
    }

    @Test
    void anUnreliableConcurrencyIsFoundWhereNoneIsReliable() {
        BestConcurrency search = search(concurrency -> concurrency, _ -> false);
        assertThat(search.find(1, 400)).map(SteadyFigures::concurrency).contains(400.0);
        assertThat(search.beyond(figures(400)).unreliable()).isNull();
    }

    private static int best(DoubleUnaryOperator worth) {
        return (int) search(worth, _ -> true).find(1, 400).orElseThrow().concurrency();
    }

    private static BestConcurrency search(DoubleUnaryOperator worth, Predicate<SteadyFigures> reliable) {
        Preference preference = new Preference(figures -> worth.applyAsDouble(figures.concurrency()));
        return new BestConcurrency(
                ConcurrencySampling.EVERY_SUMMIT,
                preference,
                SmallestConcurrencyTest::figures,
                (_, _) -> List.of(),
                reliable);
    }

    private static SteadyFigures figures(int concurrency) {
        return new SteadyFigures(
                concurrency,
                100,
                new SteadyFigures.Steps(concurrency, 10, 10, 0.5, 1),
                new SteadyFigures.Ttft(100, 100, 100),
                10,
                0,
                null,
                null);
    }
}
