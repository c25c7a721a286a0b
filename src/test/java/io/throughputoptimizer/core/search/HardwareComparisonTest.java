package io.throughputoptimizer.core.search;

import static io.throughputoptimizer.core.search.ProblemBuilder.problem;
import static io.throughputoptimizer.core.search.Searches.aggregation;
import static io.throughputoptimizer.core.search.Searches.optimize;
import static io.throughputoptimizer.core.search.Searches.pdRatio;
import static io.throughputoptimizer.core.search.Searches.ratio;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.fixture.LinearEstimator;
import org.junit.jupiter.api.Test;

class HardwareComparisonTest {
    private final LinearEstimator estimator = Searches.estimator();

    @Test
    void kindsOfDeviceAreRankedByTheirBestRow() {
        ForwardEstimator speeds = slowDownBy("FAST", 1, "SLOW", 3);

        OptimizationResult result =
                optimize(speeds, problem().limits(1000.0, 9.0).devices(4, "SLOW", "FAST", "TOO SLOW"));

        HardwareComparison comparison = result.comparison().orElseThrow();
        assertThat(comparison.profiles())
                .extracting(figures -> figures.device())
                .containsExactly("SLOW", "FAST", "TOO SLOW");
        assertThat(comparison.pdRatio()).isEmpty();
        assertThat(comparison.phases())
                .extracting(HardwareComparison.PhaseRanking::phase)
                .containsExactly(Phase.PREFILL, Phase.DECODE);
        assertThat(comparison.phases())
                .allSatisfy(ranking -> assertThat(ranking.rows())
                        .extracting(best -> best.rank() + " " + best.device().name() + " " + best.deviceCount())
                        .containsExactly("1 FAST 4", "2 SLOW 4"));
        assertThat(comparison.phases().getFirst().rows().getFirst().row())
                .isEqualTo(result.devices().get(1).phases().getFirst().rows().getFirst());
    }

    @Test
    void kindsOfDeviceAreRankedByTheirBestRatio() {
        ForwardEstimator speeds = slowDownBy("FAST", 1, "SLOW", 3);

        OptimizationResult result =
                optimize(speeds, pdRatio(4, 4).limits(1000.0, 9.0).devices(8, "TOO SLOW", "SLOW", "ALSO FAST", "FAST"));

        HardwareComparison comparison = result.comparison().orElseThrow();
        assertThat(comparison.phases()).isEmpty();
        // Of equal ones the earlier goes first.
        assertThat(comparison.pdRatio())
                .extracting(best -> best.rank() + " " + best.device())
                .containsExactly("1 ALSO FAST", "2 FAST", "3 SLOW");
        assertThat(comparison.pdRatio().getFirst().row())
                .isEqualTo(ratio(result.devices().get(2)).rows().getFirst());
    }

    @Test
    void oneKindOfDeviceIsNotCompared() {
        assertThat(optimize(estimator, aggregation().limits(null, 8.0)).comparison())
                .isEmpty();
    }

    /// Kinds of device by the factor that slows them down: those whose name ends with one, another, and all the rest,
    /// which are too slow for any limit.
    private static ForwardEstimator slowDownBy(String fast, double fastFactor, String slow, double slowFactor) {
        return (deployment, shape) -> {
            String name = deployment.device().name();
            double factor = name.endsWith(fast) ? fastFactor : name.equals(slow) ? slowFactor : 1000;
            return new LinearEstimator(
                            new LinearEstimator.Latency(factor, 0.01 * factor, factor, 0.1 * factor, 0), Searches.ROOMY)
                    .estimate(deployment, shape);
        };
    }
}
