package io.throughputoptimizer.core.steady;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
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

    private static int best(DoubleUnaryOperator worth) {
        Preference preference = new Preference(figures -> worth.applyAsDouble(figures.concurrency()));
        return (int) new BestConcurrency(preference, SmallestConcurrencyTest::figures, (_, _) -> List.of())
                .find(1, 400)
                .orElseThrow()
                .concurrency();
    }

    private static LawOutcome figures(int concurrency) {
        return new SteadyFigures(
                concurrency,
                100,
                new SteadyFigures.Steps(concurrency, 10, 10, 0.5, 1),
                new SteadyFigures.Ttft(100, 100, 100),
                10);
    }
}
