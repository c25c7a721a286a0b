package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.cost.BoundBreakdown;
import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.ForwardShape.Uniform;
import io.throughputoptimizer.core.forward.ImageInput;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.LinearEstimator;
import io.throughputoptimizer.fixture.OptimizerVectors;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// The wave formula against the reference.
class AggregatedServingTest {

    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(OptimizerVectors.variant("aggregation_wave", "seed"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void figuresEqualTheReferenceToTheLastBit(JsonNode vector) {
        ServingPoint point = run(vector, ServingVectors.estimator(vector.required("inputs")));
        JsonNode expected = vector.required("expected");
        JsonNode row = vector.required("recorded_row");

        ParallelLayout layout =
                ServingVectors.deployment(vector.required("inputs")).layout();
        assertThat(point.figures())
                .isEqualTo(Figures.of(
                        ServingVectors.figure(expected, "ttft"),
                        ServingVectors.figure(expected, "tpot"),
                        ServingVectors.figure(expected, "output_throughput"),
                        point.figures().sustainedRequestsPerS(),
                        outputTokens(vector) * ServingVectors.figure(expected, "tpot"),
                        null,
                        layout));
        assertThat(Math.rint(point.figures().tokensPerSecondPerDevice() * 1000) / 1000)
                .isEqualTo(row.required("token/s/device").doubleValue());
        assertThat(point.load().concurrency())
                .isEqualTo(row.required("concurrency").longValue());
        assertThat(point.prefillChunks())
                .isEqualTo(row.required("prefill_num_chunks").intValue());
    }

    private static double outputTokens(JsonNode vector) {
        return ServingVectors.terms(vector.required("inputs"), ServingVectors.DOCUMENTED)
                .workload()
                .outputTokens();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void freeMemoryIsThatOfThePassThatLeavesLeast(JsonNode vector) {
        ServingPoint point = run(vector, ServingVectors.estimator(vector.required("inputs")));
        JsonNode expected = vector.required("expected");

        ServingVectors.assertFreeMemory(point, expected);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void passesAreThoseOfTheReference(JsonNode vector) {
        LinearEstimator estimator = ServingVectors.estimator(vector.required("inputs"));
        run(vector, estimator);

        assertThat(estimator.calls())
                .isEqualTo(OptimizerVectors.stream(vector.required("forward_calls"))
                        .map(ServingVectors::shape)
                        .toList());
    }

    /// 3 requests, 2 of which fit a wave: the breakdown is that of the full wave, the memory that of the tighter one.
    @Test
    void eachPhaseHasItsOwnSharesAndMemory() {
        ForwardEstimator estimator = (deployment, shape) -> {
            Uniform pass = (Uniform) shape;
            BoundBreakdown breakdown = pass.request().decode()
                    ? new BoundBreakdown(1, 0, 1, 0)
                    : new BoundBreakdown(0, pass.concurrency(), 2, 0);
            return new ForwardEstimate(1, breakdown, memory(pass.request().decode() ? 5 : 10 * pass.concurrency()));
        };

        PhaseCosts costs = serving(terms(1000, 2500, null), estimator).at(3).costs();

        assertThat(costs)
                .isEqualTo(new PhaseCosts(
                        new PhaseCost(new BoundShares(0, 50, 50, 0), memory(20)),
                        new PhaseCost(new BoundShares(50, 0, 50, 0), memory(5))));
    }

    @Test
    void aFullWaveThatNeverRunsIsPriced() {
        assertThat(passes(null)).containsExactly(prefill(2, null), prefill(1, null), decode(1, null));
    }

    @Test
    void everyPassCarriesTheImagesOfTheBatch() {
        ImageInput images = new ImageInput(1, 224, 448);

        assertThat(passes(new Workload.Images(null, 224, 448)))
                .containsExactly(prefill(2, images), prefill(1, images), decode(1, images));
    }

    private static List<ForwardShape> passes(Workload.@Nullable Images images) {
        LinearEstimator estimator = new LinearEstimator(
                new LinearEstimator.Latency(1, 0.01, 1, 0.01, 0), new LinearEstimator.Memory(64, 10, 8, 1e-4));
        serving(terms(1000, 2500, images), estimator).at(1);
        return estimator.calls();
    }

    private static ForwardShape prefill(long requests, @Nullable ImageInput images) {
        return new Uniform(requests, Request.prefill(1000, 1000), images);
    }

    private static ForwardShape decode(long requests, @Nullable ImageInput images) {
        return new Uniform(requests, Request.decode(1, 100 / 2 + 1000 + 1), images);
    }

    private static ServingPoint run(JsonNode vector, ForwardEstimator estimator) {
        JsonNode inputs = vector.required("inputs");
        return Serving.aggregated(
                        ServingVectors.deployment(inputs),
                        ServingVectors.terms(inputs, ServingVectors.DOCUMENTED),
                        estimator)
                .at(inputs.required("batch_size").longValue());
    }

    private static Serving serving(ServingTerms terms, ForwardEstimator estimator) {
        return Serving.aggregated(SmallDeployment.with(ParallelLayout.dense(1, 1)), terms, estimator);
    }

    private static ServingTerms terms(int inputTokens, int maxBatchedTokens, Workload.@Nullable Images images) {
        return new ServingTerms(
                new Workload(new Lengths.Fixed(inputTokens), 100, 0, images),
                maxBatchedTokens,
                0,
                DraftAcceptance.NONE,
                ServingVectors.DOCUMENTED,
                false);
    }

    private static MemoryFootprint memory(long used) {
        return new MemoryFootprint(100, 0, 0, used, 1, 0, 0, false, true);
    }
}
