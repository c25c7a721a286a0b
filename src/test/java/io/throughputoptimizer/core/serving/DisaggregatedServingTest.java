package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.fixture.LinearEstimator;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Disaggregated prefill and decode in both accountings against the reference.
class DisaggregatedServingTest {

    static Stream<Arguments> vectors() {
        return ServingVectors.underBothAccountings("disaggregation");
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void figuresEqualTheReferenceToTheLastBit(Accounting accounting, JsonNode vector) {
        ServingPoint point = run(accounting, vector, ServingVectors.estimator(vector.required("inputs")));
        JsonNode expected = vector.required("expected");
        JsonNode row = vector.required("expected_row_rounded3");

        // The head shows the mean over the requests, a lasting load that of a benchmark.
        Double ttft = accounting.isReference()
                ? OptimizerVectors.number(expected, "ttft")
                : point.figures().ttftMillis();
        Double tpot = OptimizerVectors.number(expected, "tpot");
        double tokens = ServingVectors.terms(vector.required("inputs"), accounting)
                .workload()
                .outputs()
                .mean();

        assertThat(point.figures())
                .isEqualTo(new Figures(
                        ttft,
                        tpot,
                        expected.required("token/s").doubleValue(),
                        expected.required("token/s/device").doubleValue(),
                        point.figures().sustainedRequestsPerS(),
                        tpot == null ? ttft : (Double) ((tokens - 1) * tpot),
                        null));
        assertThat(point.load().concurrency())
                .isEqualTo(row.required("concurrency").longValue());
        assertThat(point.prefillChunks())
                .isEqualTo(row.required("prefill_num_chunks").intValue());
        assertThat(ServingVectors.terms(vector.required("inputs"), accounting)
                        .workload()
                        .effectiveInputLength())
                .isEqualTo(row.required("effective_input_length").intValue());
    }

    /// Equal waves are priced once: the calls are the reference's without repetitions.
    @ParameterizedTest
    @MethodSource("vectors")
    void passesAreThoseOfTheReferenceWithoutRepetitions(Accounting accounting, JsonNode vector) {
        LinearEstimator estimator = ServingVectors.estimator(vector.required("inputs"));
        run(accounting, vector, estimator);

        List<ForwardShape> listed = OptimizerVectors.stream(vector.required("forward_calls"))
                .map(ServingVectors::shape)
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
    void sharesGoByName(Accounting accounting, JsonNode vector) {
        ServingPoint point = run(accounting, vector, ServingVectors.estimator(vector.required("inputs")));
        boolean decode = point.figures().tpotMillis() != null;

        assertThat(decode ? point.costs().decode() : point.costs().prefill())
                .extracting(PhaseCost::shares)
                .isEqualTo(new BoundShares(25, 0, 50, 25));
        assertThat(decode ? point.costs().prefill() : point.costs().decode()).isNull();
    }

    private static ServingPoint run(Accounting accounting, JsonNode vector, LinearEstimator estimator) {
        JsonNode inputs = vector.required("inputs");
        Deployment deployment = ServingVectors.deployment(inputs);
        ServingTerms terms = ServingVectors.terms(inputs, accounting);
        Serving serving = switch (inputs.required("phase").stringValue()) {
            case "prefill" -> Serving.prefill(deployment, terms, estimator);
            case "decode" -> Serving.decode(deployment, terms, estimator);
            default -> throw new IllegalStateException(inputs.toString());
        };
        return serving.at(inputs.required("batch_size").longValue());
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
