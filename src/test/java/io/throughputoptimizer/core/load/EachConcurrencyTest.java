package io.throughputoptimizer.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.load.BestConcurrency.Found;
import io.throughputoptimizer.core.load.BestConcurrency.Preference;
import io.throughputoptimizer.core.load.BestConcurrency.Tried;
import io.throughputoptimizer.core.load.Breach.Limit;
import io.throughputoptimizer.core.load.SteadyFigures.Steps;
import io.throughputoptimizer.core.load.SteadyFigures.Ttft;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Where latencies need not grow with the concurrency each one is tried.
class EachConcurrencyTest {
    /// Limits are broken from 10 to 199, and kept again behind.
    private static Found search(int most, Set<Integer> asked) {
        return new BestConcurrency(
                        ConcurrencySampling.EACH,
                        Preference.MOST_TOKENS,
                        concurrency -> {
                            asked.add(concurrency);
                            return figures(concurrency);
                        },
                        (concurrency, _) -> concurrency >= 10 && concurrency < 200
                                ? List.of(new Breach(Limit.TPOT_MILLIS, 60, 50))
                                : List.of(),
                        _ -> true)
                .search(1, most, true);
    }

    private static SteadyFigures figures(int concurrency) {
        return new SteadyFigures(
                concurrency,
                100,
                new Steps(concurrency, 1, 1, 0, 0),
                new Ttft(10, 10, 10),
                1 + 0.01 * concurrency,
                0,
                null,
                null);
    }

    @Test
    void whatKeepsTheLimitsBehindSomethingThatBreaksThemIsFound() {
        Set<Integer> asked = new HashSet<>();
        Found found = search(300, asked);

        assertThat(found.best()).isNotNull();
        assertThat(found.best().concurrency()).isEqualTo(300);
        assertThat(asked).hasSize(300);
        assertThat(found.evaluations()).isEqualTo(300);
    }

    @Test
    void aPictureHasStepsOfAQuarterTheBestAndWhereLimitsBeginOrEnd() {
        List<Tried> shown = search(300, new HashSet<>()).sparse();

        assertThat(shown).hasSizeLessThan(60);
        assertThat(shown).extracting(one -> (int) one.figures().concurrency()).contains(1, 9, 10, 199, 200, 300);
    }

    @Test
    void beyondAThousandStepsGrowSoThatTheirNumberIsBounded() {
        Set<Integer> asked = new HashSet<>();
        search(1_000_000, asked);

        assertThat(asked).contains(1_000_000).hasSizeLessThan(7000);
        assertThat((long) asked.size()).isLessThanOrEqualTo(ConcurrencySampling.EACH.mostTried(1_000_000));
        assertThat(ConcurrencySampling.EACH.mostTried(300)).isEqualTo(300);
    }

    /// Of prompts and steps together.
    @Test
    void whatCorrectedStepsSustainFollowsTheCorrectedTpot() {
        SteadyFigures law = new SteadyLaw.Times(20, 1, 5, 100).figures(8, 10);
        SteadyFigures same = law.corrected(1, 1, 0.1, 0.1);

        assertThat(same.sustainedPerSecond() / law.sustainedPerSecond()).isBetween(1 - 1e-12, 1 + 1e-12);
        assertThat(law.corrected(2, 1, 0.1, 0.1).sustainedPerSecond()).isLessThan(law.sustainedPerSecond());
        assertThat(same.ofLaw()).isEqualTo(law);
    }
}
