package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import io.throughputoptimizer.core.cost.OperatorCost;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.RooflineCoverage;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.Nightly;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Laws that hold for every deployment and pass, tried on seeded random ones. That more work takes longer is tried on
/// dense layers only: experts run together or one by one by how their tokens divide, and sparse attention reads longer
/// sequences at a better efficiency.
class ForwardLawsTest {
    private static final long SEED = 8_150_425;
    private static final int TRIALS = Nightly.isNow() ? 400 : 150;
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

    /// Deployments and passes of every kind.
    static Stream<RandomPasses.Draw> draws() {
        return Stream.of(new RandomPasses(SEED), RandomPasses.ofLaterModels(SEED))
                .flatMap(passes -> Stream.generate(passes::next).limit(TRIALS));
    }

    /// A family that the catalogue gains is drawn too.
    @Test
    void everyFamilyOfTheCatalogueIsDrawn() {
        Set<String> drawn =
                draws().map(draw -> draw.deployment().model().family()).collect(Collectors.toSet());

        assertThat(TestDeployments.models().stream()
                        .filter(model ->
                                new RooflineCoverage(model).unpricedPart().isEmpty())
                        .map(ModelArchitecture::family))
                .isNotEmpty()
                .isSubsetOf(drawn);
    }

    @ParameterizedTest
    @MethodSource("draws")
    void noOperatorBeatsItsRooflineAndAllAddUpToTheLatency(RandomPasses.Draw draw) {
        PricedPass pass = estimator.price(draw.deployment(), draw.shape());

        double sum = 0;
        for (PricedPass.PricedOperator operator : pass.operators()) {
            OperatorCost cost = operator.cost();
            assertThat(cost.seconds())
                    .as(operator.name())
                    .isGreaterThanOrEqualTo(cost.memorySeconds())
                    .isGreaterThanOrEqualTo(cost.communicationSeconds())
                    .isGreaterThanOrEqualTo(cost.computeSeconds());
            assertThat(operator.calls()).as(operator.name()).isPositive();
            sum += operator.calls() * cost.seconds();
        }
        assertThat(sum * 1000).isCloseTo(pass.estimate().latencyMillis(), withPercentage(1e-9));
        assertThat(pass.estimate().breakdown().totalSeconds()).isLessThanOrEqualTo(sum * (1 + ROUNDING));
    }

    @ParameterizedTest
    @MethodSource("trials")
    void aListOfEqualRequestsCostsWhatTheSamePassWouldBesidesItsRowSelection(Trial trial) {
        int dp = trial.deployment().layout().dp();
        boolean goesOn = trial.request().sequenceLength() > trial.request().queryLength();
        ForwardShape uniform = new ForwardShape.Uniform(trial.concurrency() * dp, trial.request(), null, goesOn);
        ForwardShape list =
                new ForwardShape.RequestList(List.of(new ForwardShape.Group(trial.concurrency(), trial.request())));

        assertThat(estimate(trial, list).latencyMillis())
                .isGreaterThanOrEqualTo(estimate(trial, uniform).latencyMillis() * (1 - ROUNDING));
    }

    @ParameterizedTest
    @MethodSource("draws")
    void equalRequestsOfAListCostTheSameInOneGroupOrTwo(RandomPasses.Draw draw) {
        Request request = switch (draw.shape()) {
            case ForwardShape.Uniform uniform -> uniform.request();
            case ForwardShape.RequestList list -> list.groups().getFirst().request();
        };
        PricedPlan plan = estimator.on(draw.deployment());
        ForwardEstimate split = plan.estimate(new ForwardShape.RequestList(
                List.of(new ForwardShape.Group(3, request), new ForwardShape.Group(40, request))));
        ForwardEstimate joined =
                plan.estimate(new ForwardShape.RequestList(List.of(new ForwardShape.Group(43, request))));

        assertThat(split.memory()).isEqualTo(joined.memory());
        assertThat(split.latencyMillis()).isCloseTo(joined.latencyMillis(), withPercentage(100 * ROUNDING));
    }

    @ParameterizedTest
    @MethodSource("draws")
    void aPlanThatServedOtherPassesPricesLikeANewOne(RandomPasses.Draw draw) {
        RandomPasses passes = new RandomPasses(draw.shape().hashCode());
        PricedPlan plan = estimator.on(draw.deployment());
        for (int pass = 0; pass < 20; pass++) {
            plan.estimate(passes.shape(draw.deployment()));
        }

        assertThat(plan.price(draw.shape())).isEqualTo(estimator.price(draw.deployment(), draw.shape()));
        assertThat(plan.estimate(draw.shape())).isEqualTo(estimator.estimate(draw.deployment(), draw.shape()));
    }

    @ParameterizedTest
    @MethodSource("draws")
    void memoryAddsUpToTheDevice(RandomPasses.Draw draw) {
        MemoryFootprint memory =
                estimator.estimate(draw.deployment(), draw.shape()).memory();

        assertThat(memory.weightBytes()).isPositive();
        assertThat(memory.activationBytes()).isNotNegative();
        assertThat(memory.weightBytes()
                        + memory.kvCacheBytes()
                        + memory.stateBytes()
                        + memory.activationBytes()
                        + memory.reservedBytes()
                        + memory.availableBytes())
                .isCloseTo(memory.capacityBytes(), within(ROUNDING * memory.peakBytes()));
    }

    private void assertNotFaster(Trial trial, ForwardShape larger) {
        assertThat(estimate(trial, larger).latencyMillis())
                .isGreaterThanOrEqualTo(estimate(trial, trial.shape()).latencyMillis() * (1 - ROUNDING));
    }

    private ForwardEstimate estimate(Trial trial, ForwardShape shape) {
        return estimator.estimate(trial.deployment(), shape);
    }
}
