package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.cost.BoundBreakdown;
import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.ForwardShape.Group;
import io.throughputoptimizer.core.forward.ForwardShape.RequestList;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.fixture.LinearEstimator;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Prompts of unequal length against the reference: one pass in the documented accounting, chunks in the steady one.
/// Some documented vectors have a token budget below the longest effective input,
/// which a problem may not have; the pass itself does not look at the budget.
class MixedServingTest {

    static Stream<Arguments> vectors() {
        return Stream.concat(
                ServingVectors.under(ServingVectors.DOCUMENTED, OptimizerVectors.variant("variable_length", "phase1")),
                ServingVectors.under(ServingVectors.STEADY, OptimizerVectors.variant("variable_length", "head"))
                        .filter(one -> !((JsonNode) one.get()[1])
                                .path("mode")
                                .asString("")
                                .equals("aggregation")));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void figuresEqualTheReferenceToTheLastBit(Accounting accounting, JsonNode vector) {
        JsonNode expected = vector.required("expected");
        JsonNode aggregate = vector.required("rows").required(0);

        ServingPoint point = run(accounting, vector, ServingVectors.estimator(vector));
        // The head shows the mean over the requests, a lasting load that of a benchmark.
        Double ttft = accounting.isReference()
                ? OptimizerVectors.number(expected, "ttft")
                : point.figures().ttftMillis();

        assertThat(point.figures())
                .isEqualTo(new Figures(
                        ttft,
                        null,
                        expected.required("token/s").doubleValue(),
                        expected.required("token/s/device").doubleValue(),
                        point.figures().sustainedRequestsPerS(),
                        ttft,
                        null));
        assertThat(point.load().concurrency())
                .isEqualTo(aggregate.required("concurrency").longValue());
        assertThat(point.prefillChunks())
                .isEqualTo(aggregate.required("prefill_num_chunks").intValue());
        assertThat(ServingVectors.terms(vector, accounting).workload().effectiveInputLength())
                .isEqualTo(aggregate.required("effective_input_length").intValue());
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void samplesOfARankAreThoseOfTheReference(Accounting accounting, JsonNode vector) {
        List<LengthSamples> mix =
                run(accounting, vector, ServingVectors.estimator(vector)).mix();

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
    void passesHoldTheRequestsOfARankInTheOrderOfTheBins(Accounting accounting, JsonNode vector) {
        LinearEstimator estimator = ServingVectors.estimator(vector);

        run(accounting, vector, estimator);

        assertThat(estimator.calls())
                .hasSize(vector.required("num_forward_calls").intValue());
        assertThat(estimator.calls().stream()
                        .filter(RequestList.class::isInstance)
                        .map(MixedServingTest::listed)
                        .limit(vector.path("forward_calls").size()))
                .isEqualTo(OptimizerVectors.stream(vector.path("forward_calls"))
                        .map(call -> OptimizerVectors.stream(call.required("varlen"))
                                .map(request -> Request.prefill(
                                        request.get(0).longValue(),
                                        request.get(1).longValue()))
                                .toList())
                        .toList());
    }

    /// 10 requests in 6 passes: the first, which holds 5 requests whole, takes 15 ms of memory, the others 1 ms of
    /// matrix units each.
    @Test
    void sharesOfMixedPassesCountEachPass() {
        JsonNode vector = OptimizerVectors.variant("variable_length", "head").required(13);
        ForwardEstimator estimator = (deployment, shape) -> {
            boolean first = shape instanceof RequestList list
                    && list.groups().getFirst().count() == 5;
            BoundBreakdown breakdown = first ? new BoundBreakdown(1, 0, 0, 0) : new BoundBreakdown(0, 0, 1, 0);
            return new ForwardEstimate(
                    first ? 15 : 1, breakdown, new MemoryFootprint(1, 0, 0, 0, 0, 0, 0, false, true));
        };
        ServingTerms terms = ServingVectors.terms(vector, ServingVectors.STEADY);

        ServingPoint prefill = Serving.prefill(ServingVectors.deployment(vector), terms, estimator)
                .at(10);

        assertThat(prefill.prefillChunks()).isEqualTo(6);
        assertThat(prefill.costs().prefill())
                .extracting(PhaseCost::shares)
                .isEqualTo(new BoundShares(100 / 6.0, 0, 5 * 100 / 6.0, 0));
    }

    private static List<Request> listed(ForwardShape shape) {
        return ((RequestList) shape)
                .groups().stream()
                        .flatMap((Group group) ->
                                Collections.nCopies(Math.toIntExact(group.count()), group.request()).stream())
                        .toList();
    }

    private static ServingPoint run(Accounting accounting, JsonNode vector, LinearEstimator estimator) {
        ServingTerms terms = ServingVectors.terms(vector, accounting);
        return Serving.prefill(ServingVectors.deployment(vector), terms, estimator)
                .at(vector.required("batch_size").longValue());
    }
}
