package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.cost.OperatorCost;
import io.throughputoptimizer.core.deployment.Deployment;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Laws that hold for every deployment and pass, tried on seeded random ones.
class ForwardLawsTest {
    private static final long SEED = 8_150_425;
    private static final int TRIALS = 400;
    /// Room for the rounding of sums in another order.
    private static final double ROUNDING = 1e-12;

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    record Trial(Deployment deployment, long concurrency, Request request, long growth) {
        ForwardShape shape() {
            return new ForwardShape.Uniform(concurrency, request);
        }
    }

    static Stream<Trial> trials() {
        Random random = new Random(SEED);
        return Stream.generate(() -> {
                    long query = random.nextBoolean() ? 1 : 1 + random.nextInt(4000);
                    return new Trial(
                            TestDeployments.random(random),
                            1 + random.nextInt(200),
                            new Request(query, query + random.nextInt(8000), query == 1),
                            1 + random.nextInt(500));
                })
                .limit(TRIALS);
    }

    @ParameterizedTest
    @MethodSource("trials")
    void latencyNeverFallsAsContextGrows(Trial trial) {
        Request request = trial.request();
        Request longer =
                new Request(request.queryLength(), request.sequenceLength() + trial.growth(), request.decode());

        assertNotFaster(trial, new ForwardShape.Uniform(trial.concurrency(), longer));
    }

    @ParameterizedTest
    @MethodSource("trials")
    void latencyNeverFallsAsTokensGrow(Trial trial) {
        Request request = trial.request();
        Request larger = new Request(
                request.queryLength() + trial.growth(), request.sequenceLength() + trial.growth(), request.decode());

        assertNotFaster(trial, new ForwardShape.Uniform(trial.concurrency(), larger));
        assertNotFaster(trial, new ForwardShape.Uniform(trial.concurrency() + trial.growth(), request));
    }

    @ParameterizedTest
    @MethodSource("trials")
    void noOperatorBeatsItsRooflineAndAllAddUpToTheLatency(Trial trial) {
        PricedPass pass = estimator.price(trial.deployment(), trial.shape());

        double sum = 0;
        for (PricedPass.PricedOperator operator : pass.operators()) {
            OperatorCost cost = operator.cost();
            assertThat(cost.seconds())
                    .as(operator.name())
                    .isGreaterThanOrEqualTo(cost.memorySeconds())
                    .isGreaterThanOrEqualTo(cost.communicationSeconds())
                    .isGreaterThanOrEqualTo(cost.computeSeconds());
            sum += operator.calls() * cost.seconds();
        }
        assertThat(sum * 1000)
                .isCloseTo(pass.estimate().latencyMillis(), org.assertj.core.data.Percentage.withPercentage(1e-9));
        assertThat(pass.estimate().breakdown().totalSeconds()).isLessThanOrEqualTo(sum);
    }

    @ParameterizedTest
    @MethodSource("trials")
    void aListOfEqualRequestsCostsWhatTheSamePassWouldBesidesItsRowSelection(Trial trial) {
        int dp = trial.deployment().layout().dp();
        ForwardShape uniform = new ForwardShape.Uniform(trial.concurrency() * dp, trial.request());
        ForwardShape list =
                new ForwardShape.RequestList(List.of(new ForwardShape.Group(trial.concurrency(), trial.request())));
        ForwardShape split = new ForwardShape.RequestList(List.of(
                new ForwardShape.Group(trial.concurrency(), trial.request()),
                new ForwardShape.Group(trial.growth(), trial.request())));
        ForwardShape joined = new ForwardShape.RequestList(
                List.of(new ForwardShape.Group(trial.concurrency() + trial.growth(), trial.request())));

        assertThat(estimate(trial, list).latencyMillis())
                .isGreaterThanOrEqualTo(estimate(trial, uniform).latencyMillis() * (1 - ROUNDING));
        assertThat(estimate(trial, split)).isEqualTo(estimate(trial, joined));
    }

    @ParameterizedTest
    @MethodSource("trials")
    void memoryAddsUpToTheDevice(Trial trial) {
        MemoryFootprint memory = estimate(trial, trial.shape()).memory();

        assertThat(memory.weightBytes()).isPositive();
        assertThat(memory.activationBytes()).isNotNegative();
        assertThat(memory.weightBytes()
                        + memory.kvCacheBytes()
                        + memory.activationBytes()
                        + memory.reservedBytes()
                        + memory.availableBytes())
                .isEqualTo(memory.capacityBytes());
    }

    private void assertNotFaster(Trial trial, ForwardShape larger) {
        assertThat(estimate(trial, larger).latencyMillis())
                .isGreaterThanOrEqualTo(estimate(trial, trial.shape()).latencyMillis() * (1 - ROUNDING));
    }

    private ForwardEstimate estimate(Trial trial, ForwardShape shape) {
        return estimator.estimate(trial.deployment(), shape);
    }
}
