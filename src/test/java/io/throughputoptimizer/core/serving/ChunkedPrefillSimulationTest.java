package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.cost.BoundBreakdown;
import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape.Uniform;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.serving.DecodeFirstScheduler.Step;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.PrefillChunks.Chunk;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.LinearEstimator;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.OptimizerVectors;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// The simulation against the reference and, on random problems, against a plain walk.
class ChunkedPrefillSimulationTest {
    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(OptimizerVectors.variant("chunked_simulation", "seed"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void figuresEqualTheReferenceToTheLastBit(JsonNode vector) {
        JsonNode expected = vector.required("expected");

        ServingPoint point = run(vector, ServingVectors.estimator(vector.required("inputs")));

        assertThat(point.figures())
                .isEqualTo(Figures.of(
                        ServingVectors.figure(expected, "ttft"),
                        ServingVectors.figure(expected, "tpot"),
                        ServingVectors.figure(expected, "output_throughput"),
                        point.figures().sustainedRequestsPerS(),
                        ServingVectors.figure(expected, "ttft")
                                + (vector.at("/inputs/output_length").asInt() - 1)
                                        * ServingVectors.figure(expected, "tpot"),
                        null,
                        ServingVectors.deployment(vector.required("inputs")).layout()));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void memoryAndChunksEqualTheReference(JsonNode vector) {
        ServingPoint point = run(vector, ServingVectors.estimator(vector.required("inputs")));
        JsonNode expected = vector.required("expected");

        ServingVectors.assertFreeMemory(point, expected);
        assertThat(point.prefillChunks())
                .isEqualTo(vector.required("recorded_row")
                        .required("prefill_num_chunks")
                        .intValue());
    }

    /// The yardstick itself: its steps are those of the reference, as far as they are listed and run.
    @ParameterizedTest
    @MethodSource("vectors")
    void thePlainWalkTakesTheStepsOfTheReference(JsonNode vector) {
        JsonNode inputs = vector.required("inputs");
        StepByStepWalk walk = walk(
                ServingVectors.terms(inputs, ServingVectors.DOCUMENTED),
                ServingVectors.deployment(inputs),
                ServingVectors.estimator(inputs),
                inputs.required("batch_size").longValue());

        assertThat(walk.steps()).hasSize(vector.required("num_steps").intValue());
        for (int index = 0; index < vector.required("steps").size(); index++) {
            JsonNode step = vector.required("steps").required(index);
            StepByStepWalk.Ran ran = walk.steps().get(index);
            assertThat(ran.ready()).isEqualTo(step.required("ready_decode").longValue());
            assertThat(ran.step())
                    .isEqualTo(new Step(
                            step.required("p_step").longValue(),
                            step.required("d_step").longValue()));
            assertThat(ran.endMillis()).isEqualTo(step.path("time_after").asDouble(ran.endMillis()));
        }
    }

    static LongStream seeds() {
        return Nightly.seeds(17);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void figuresOfRandomProblemsEqualThoseOfAPlainWalk(long seed) {
        Random random = new Random(seed);
        int budget = 1 + random.nextInt(seed % 3 == 0 ? 1000 : 20);
        // Last chunks of every size, small ones above all: with them more requests are ready than a step serves.
        int chunks = 1 + random.nextInt(4);
        int input = chunks * budget + 1 + random.nextInt(1 + random.nextInt(budget));
        Workload workload = new Workload(new Lengths.Fixed(input), 1 + random.nextInt(60), 0, null);
        int draftTokens = random.nextInt(2);
        ServingTerms terms = new ServingTerms(
                workload, budget, 0, new DraftAcceptance.ByPosition(List.of(0.7)), ServingVectors.DOCUMENTED, false);
        Deployment deployment = SmallDeployment.with(ParallelLayout.dense(1, 1 + random.nextInt(3)), draftTokens);
        ForwardEstimator estimator = estimator(random);
        long batchSize = 1L + random.nextInt(400);

        Figures figures =
                Serving.aggregated(deployment, terms, estimator).at(batchSize).figures();

        StepByStepWalk walk = walk(terms, deployment, estimator, batchSize);
        assertThat(numbers(figures)).isEqualTo(List.of(walk.ttftMillis(), walk.tpotMillis(), walk.tokensPerSecond()));
    }

    /// 1499 steps decode the one request, all of them alike.
    @Test
    void equalStepsArePricedOnce() {
        LinearEstimator estimator = (LinearEstimator) estimator(new Random(1));

        serving(12, 10, 1500, estimator).at(1);

        assertThat(estimator.calls())
                .containsExactly(
                        new Uniform(1, Request.prefill(10, 10)),
                        new Uniform(1, Request.prefill(2, 12)),
                        new Uniform(1, Request.decode(1, 1500 / 2 + 12 + 1)));
    }

    /// 3 requests in chunks of 10 and 2 tokens: the second chunk of all three fits one step, then all decode.
    @Test
    void eachPhaseHasTheSharesOfItsFirstPassAndTheMemoryOfItsTightest() {
        ForwardEstimator estimator = (deployment, shape) -> {
            Uniform pass = (Uniform) shape;
            Request request = pass.request();
            BoundBreakdown breakdown = request.decode()
                    ? new BoundBreakdown(1, 0, 1, 0)
                    : new BoundBreakdown(0, 1, request.queryLength() - 1, 0);
            return new ForwardEstimate(1, breakdown, memory(pass.concurrency() * request.sequenceLength()));
        };

        PhaseCosts costs = serving(12, 10, 5, estimator).at(3).costs();

        assertThat(costs)
                .isEqualTo(new PhaseCosts(
                        new PhaseCost(new BoundShares(0, 10, 90, 0), memory(3 * 12)),
                        new PhaseCost(new BoundShares(50, 0, 50, 0), memory(3 * (5 / 2 + 12 + 1)))));
    }

    @Test
    void oneOutputTokenNeedsNoDecode() {
        ServingPoint point = serving(12, 10, 1, estimator(new Random(1))).at(5);

        assertThat(point.costs().decode()).isNull();
        assertThat(point.figures().tpotMillis()).isZero();
    }

    private static Serving serving(int input, int budget, int output, ForwardEstimator estimator) {
        ServingTerms terms = new ServingTerms(
                new Workload(new Lengths.Fixed(input), output, 0, null),
                budget,
                0,
                DraftAcceptance.NONE,
                ServingVectors.DOCUMENTED,
                false);
        return Serving.aggregated(SmallDeployment.with(ParallelLayout.dense(1, 1)), terms, estimator);
    }

    private static MemoryFootprint memory(long used) {
        return new MemoryFootprint(1000, 0, 0, used, 1, 0, 0, false, true);
    }

    private static ServingPoint run(JsonNode vector, ForwardEstimator estimator) {
        JsonNode inputs = vector.required("inputs");
        return Serving.aggregated(
                        ServingVectors.deployment(inputs),
                        ServingVectors.terms(inputs, ServingVectors.DOCUMENTED),
                        estimator)
                .at(inputs.required("batch_size").longValue());
    }

    private static StepByStepWalk walk(
            ServingTerms terms, Deployment deployment, ForwardEstimator estimator, long batchSize) {
        InstancePasses passes = new InstancePasses(deployment, terms, estimator);
        Load load = Load.of(batchSize, deployment.layout());
        StepByStepWalk walk = new StepByStepWalk(
                terms.chunks(),
                new DecodeFirstScheduler(terms.instanceTokenBudget(deployment.layout())),
                new StepByStepWalk.Clock() {
                    @Override
                    public double prefill(long requests, Chunk chunk) {
                        return passes.prefill(requests, chunk, load).latencyMillis();
                    }

                    @Override
                    public double decode(long requests) {
                        return passes.perToken(passes.decode(requests, load).latencyMillis());
                    }
                },
                terms.workload().outputTokens());
        walk.run(load.concurrency());
        return walk;
    }

    private static ForwardEstimator estimator(Random random) {
        return new LinearEstimator(
                new LinearEstimator.Latency(
                        random.nextDouble(),
                        random.nextDouble() / 10,
                        random.nextDouble(),
                        random.nextDouble(),
                        random.nextDouble() / 1000),
                new LinearEstimator.Memory(64, 10, 8, 0));
    }

    private static List<@Nullable Double> numbers(Figures figures) {
        return Arrays.asList(figures.ttftMillis(), figures.tpotMillis(), figures.tokensPerSecond());
    }
}
