package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.Speculation;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.ForwardShape.Group;
import io.throughputoptimizer.core.forward.ForwardShape.RequestList;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.serving.ServingPoint.Figures;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.Distributions;
import io.throughputoptimizer.fixture.LinearEstimator;
import io.throughputoptimizer.fixture.OptimizerVectors;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// The mixed batch in one pass against the reference. Some vectors have a token budget below the longest effective
/// input, which a problem may not have; the pass itself does not look at the budget.
class MixedPrefillServingTest {

    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(OptimizerVectors.variant("variable_length", "phase1"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void figuresEqualTheReferenceToTheLastBit(JsonNode vector) {
        JsonNode expected = vector.required("expected");
        JsonNode aggregate = vector.required("rows").required(0);

        ServingPoint point = run(vector, estimator(vector));

        double ttft = expected.required("ttft").doubleValue();
        assertThat(point.figures())
                .isEqualTo(new Figures(
                        ttft,
                        null,
                        expected.required("token/s").doubleValue(),
                        expected.required("token/s/device").doubleValue()));
        assertThat(point.load().concurrency())
                .isEqualTo(aggregate.required("concurrency").longValue());
        assertThat(point.prefillChunks())
                .isEqualTo(aggregate.required("prefill_num_chunks").intValue());
        assertThat(workload(vector).effectiveInputLength())
                .isEqualTo(aggregate.required("effective_input_length").intValue());
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void samplesOfARankAreThoseOfTheReference(JsonNode vector) {
        List<LengthSamples> mix = run(vector, estimator(vector)).mix();

        List<JsonNode> details =
                OptimizerVectors.stream(vector.required("rows")).skip(1).toList();
        assertThat(mix.stream().map(part -> part.length().inputTokens()))
                .isEqualTo(details.stream()
                        .map(row -> row.required("num_input_tokens").intValue())
                        .toList());
        assertThat(mix.stream().map(LengthSamples::samples))
                .isEqualTo(details.stream()
                        .map(row -> row.required("samples").longValue())
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void onePassHoldsTheRequestsOfARankInTheOrderOfTheBins(JsonNode vector) {
        LinearEstimator estimator = estimator(vector);

        run(vector, estimator);

        assertThat(estimator.calls().stream().map(MixedPrefillServingTest::listed))
                .isEqualTo(OptimizerVectors.stream(vector.required("forward_calls"))
                        .map(call -> OptimizerVectors.stream(call.required("varlen"))
                                .map(request -> Request.prefill(
                                        request.get(0).longValue(),
                                        request.get(1).longValue()))
                                .toList())
                        .toList());
    }

    private static List<Request> listed(ForwardShape shape) {
        return ((RequestList) shape)
                .groups().stream()
                        .flatMap((Group group) ->
                                Collections.nCopies(Math.toIntExact(group.count()), group.request()).stream())
                        .toList();
    }

    private static ServingPoint run(JsonNode vector, LinearEstimator estimator) {
        ServingTerms terms = new ServingTerms(
                workload(vector),
                vector.required("max_batched_tokens").intValue(),
                vector.required("serving_cost").doubleValue(),
                Speculation.NONE,
                new Accounting.Documented());
        ParallelLayout layout = ParallelLayout.dense(1, vector.required("dp").intValue());
        return Serving.prefill(SmallDeployment.with(layout), terms, estimator)
                .at(vector.required("batch_size").longValue());
    }

    private static Workload workload(JsonNode vector) {
        return new Workload(
                new Lengths.Mixed(
                        Distributions.named(vector.required("distribution").stringValue())),
                vector.required("output_length").intValue(),
                vector.required("prefix_cache_hit_rate").doubleValue(),
                null);
    }

    private static LinearEstimator estimator(JsonNode vector) {
        return new LinearEstimator(
                LinearEstimator.Latency.of(vector.required("latency_model")),
                LinearEstimator.Memory.of(vector.required("memory_model")));
    }
}
