package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.Speculation;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.serving.ServingPoint.Figures;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.LinearEstimator;
import io.throughputoptimizer.fixture.OptimizerVectors;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// The documented formulas of disaggregated prefill and decode against the reference.
class DisaggregatedServingTest {

    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(OptimizerVectors.variant("disaggregation", "seed"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void figuresEqualTheReferenceToTheLastBit(JsonNode vector) {
        ServingPoint point = run(vector, estimator(vector));
        JsonNode expected = vector.required("expected");
        JsonNode row = vector.required("expected_row_rounded3");

        assertThat(point.figures())
                .isEqualTo(new Figures(
                        OptimizerVectors.number(expected, "ttft"),
                        OptimizerVectors.number(expected, "tpot"),
                        expected.required("token/s").doubleValue(),
                        expected.required("token/s/device").doubleValue()));
        assertThat(point.load().concurrency())
                .isEqualTo(row.required("concurrency").longValue());
        assertThat(point.prefillChunks())
                .isEqualTo(row.required("prefill_num_chunks").intValue());
        assertThat(terms(vector.required("inputs")).workload().effectiveInputLength())
                .isEqualTo(row.required("effective_input_length").intValue());
    }

    /// Equal waves are priced once: the calls are the reference's without repetitions.
    @ParameterizedTest
    @MethodSource("vectors")
    void passesAreThoseOfTheReferenceWithoutRepetitions(JsonNode vector) {
        LinearEstimator estimator = estimator(vector);
        run(vector, estimator);

        List<ForwardShape> listed = OptimizerVectors.stream(vector.required("forward_calls"))
                .map(DisaggregatedServingTest::shape)
                .toList();
        List<ForwardShape> expected = withoutRepetitions(listed);
        boolean complete = listed.size() == vector.required("num_forward_calls").intValue();
        assertThat(complete ? estimator.calls() : estimator.calls().subList(0, expected.size()))
                .isEqualTo(expected);
    }

    /// The reference prints `Mem 25.00 | Comm 50.00 | Cube 25.00 | Vec 0.00` for these passes of 1 part memory, no
    /// communication, 2 parts matrix units and 1 part general units: it skips the communication and shifts the
    /// rest to the left. Ours go by name.
    @ParameterizedTest
    @MethodSource("vectors")
    void sharesGoByName(JsonNode vector) {
        ServingPoint point = run(vector, estimator(vector));
        boolean decode = point.figures().tpotMillis() != null;

        assertThat(decode ? point.costs().decode() : point.costs().prefill())
                .extracting(PhaseCost::shares)
                .isEqualTo(new BoundShares(25, 0, 50, 25));
        assertThat(decode ? point.costs().prefill() : point.costs().decode()).isNull();
    }

    private static ServingPoint run(JsonNode vector, LinearEstimator estimator) {
        JsonNode inputs = vector.required("inputs");
        ParallelLayout layout = ParallelLayout.dense(
                inputs.required("tp").intValue(), inputs.required("dp").intValue());
        Serving serving = switch (inputs.required("phase").stringValue()) {
            case "prefill" -> Serving.prefill(SmallDeployment.with(layout), terms(inputs), estimator);
            case "decode" -> Serving.decode(SmallDeployment.with(layout), terms(inputs), estimator);
            default -> throw new IllegalStateException(inputs.toString());
        };
        return serving.at(inputs.required("batch_size").longValue());
    }

    private static ServingTerms terms(JsonNode inputs) {
        return new ServingTerms(
                new Workload(
                        new Lengths.Fixed(inputs.required("input_length").intValue()),
                        inputs.required("output_length").intValue(),
                        inputs.required("prefix_cache_hit_rate").doubleValue(),
                        null),
                inputs.required("max_batched_tokens").intValue(),
                inputs.required("serving_cost").doubleValue(),
                new Speculation(
                        inputs.required("num_mtp_tokens").intValue(),
                        OptimizerVectors.stream(inputs.required("mtp_acceptance_rate"))
                                .map(JsonNode::doubleValue)
                                .toList()),
                new Accounting.Documented());
    }

    private static LinearEstimator estimator(JsonNode vector) {
        JsonNode inputs = vector.required("inputs");
        return new LinearEstimator(
                LinearEstimator.Latency.of(inputs.required("latency_model")),
                LinearEstimator.Memory.of(inputs.required("memory_model")));
    }

    private static ForwardShape shape(JsonNode call) {
        Request request = new Request(
                call.required("query_len").longValue(),
                call.required("seq_len").longValue(),
                call.required("is_decode").booleanValue());
        return new ForwardShape.Uniform(call.required("concurrency").longValue(), request);
    }

    private static List<ForwardShape> withoutRepetitions(List<ForwardShape> shapes) {
        List<ForwardShape> distinct = new ArrayList<>();
        for (ForwardShape shape : shapes) {
            if (distinct.isEmpty() || !distinct.getLast().equals(shape)) {
                distinct.add(shape);
            }
        }
        return distinct;
    }
}
