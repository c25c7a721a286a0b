package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.LinearEstimator;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A device with room for 4,600,000 tokens, prompts of 1000 tokens on average.
class CacheBoundServingTest {
    private static final int LARGEST = 512 << 10;

    private static final Deployment DEPLOYMENT = SmallDeployment.with(ParallelLayout.dense(1, 4));
    private static final Lengths FIXED = new Lengths.Fixed(1000);
    private static final Lengths MIXED =
            new Lengths.Mixed(new LengthDistribution(List.of(new LengthBin(0, 1000, 1), new LengthBin(1000, 2000, 1))));

    private final LinearEstimator estimator = new LinearEstimator(
            new LinearEstimator.Latency(1, 0.01, 1, 0.1, 0), new LinearEstimator.Memory(64, 10, 8, 1e-5));

    static Stream<Function<LinearEstimator, Serving>> instances() {
        return Stream.of(
                linear -> Serving.prefill(DEPLOYMENT, terms(FIXED), linear),
                linear -> Serving.prefill(DEPLOYMENT, terms(MIXED), linear),
                linear -> Serving.decode(DEPLOYMENT, terms(FIXED), linear),
                linear -> Serving.aggregated(DEPLOYMENT, terms(FIXED), linear),
                linear -> Serving.aggregated(DEPLOYMENT, terms(MIXED), linear));
    }

    @ParameterizedTest
    @MethodSource("instances")
    void aBatchFarBeyondTheCacheIsOutOfMemoryWithoutALookAtItsPasses(Function<LinearEstimator, Serving> instance) {
        ServingPoint point = instance.apply(estimator).at(LARGEST + 1);

        assertThat(LimitBreach.first(point, Limits.NONE))
                .hasValueSatisfying(breach -> assertThat(breach).isInstanceOf(LimitBreach.OutOfMemory.class));
        assertThat(estimator.calls()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("instances")
    void aBatchThatTheCacheHoldsIsEvaluatedHoweverLarge(Function<LinearEstimator, Serving> instance) {
        LinearEstimator roomy = new LinearEstimator(
                new LinearEstimator.Latency(1, 0.01, 1, 0.1, 0), new LinearEstimator.Memory(64, 10, 8, 1e-9));

        assertThat(instance.apply(roomy).at(LARGEST + 1).figures().tokensPerSecond())
                .isPositive();
    }

    private static ServingTerms terms(Lengths lengths) {
        Workload workload = new Workload(lengths, 10, 0, null);
        return new ServingTerms(workload, 100_000_000, 0, DraftAcceptance.NONE, Accounting.STEADY, false);
    }
}
