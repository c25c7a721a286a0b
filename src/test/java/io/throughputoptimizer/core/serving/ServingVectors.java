package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.Distributions;
import io.throughputoptimizer.fixture.LinearEstimator;
import io.throughputoptimizer.fixture.OptimizerVectors;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import tools.jackson.databind.JsonNode;

/// What the golden vectors on serving have in common: how their inputs are read, and which of their variants is
/// which accounting.
final class ServingVectors {
    static final Accounting DOCUMENTED = Accounting.DOCUMENTED;
    static final Accounting STEADY = Accounting.STEADY;

    private ServingVectors() {}

    /// Cases of a section under both accountings: the seed's are documented, the head's steady.
    static Stream<Arguments> underBothAccountings(String section) {
        return Stream.concat(
                under(DOCUMENTED, OptimizerVectors.variant(section, "seed")),
                under(STEADY, OptimizerVectors.variant(section, "head")));
    }

    /// Cases with the accounting that they are about, named after both.
    static Stream<Arguments> under(Accounting accounting, JsonNode cases) {
        return OptimizerVectors.arguments(cases)
                .map(one -> (Arguments.ArgumentSet) one)
                .map(one -> Arguments.argumentSet(accounting + " " + one.getName(), accounting, one.get()[0]));
    }

    static Deployment deployment(JsonNode inputs) {
        return SmallDeployment.with(
                ParallelLayout.dense(
                        inputs.path("tp").asInt(1), inputs.required("dp").intValue()),
                inputs.path("num_mtp_tokens").asInt(0));
    }

    static ServingTerms terms(JsonNode inputs, Accounting accounting) {
        return new ServingTerms(
                new Workload(
                        lengths(inputs),
                        inputs.required("output_length").intValue(),
                        inputs.required("prefix_cache_hit_rate").doubleValue(),
                        null),
                inputs.required("max_batched_tokens").intValue(),
                inputs.path("serving_cost").asDouble(0),
                new DraftAcceptance.ByPosition(OptimizerVectors.stream(inputs.path("mtp_acceptance_rate"))
                        .map(JsonNode::doubleValue)
                        .toList()),
                accounting,
                false);
    }

    static LinearEstimator estimator(JsonNode inputs) {
        return new LinearEstimator(
                LinearEstimator.Latency.of(inputs.required("latency_model")),
                LinearEstimator.Memory.of(inputs.required("memory_model")));
    }

    /// A recorded call of the forward function.
    static ForwardShape shape(JsonNode call) {
        Request request = new Request(
                call.required("query_len").longValue(),
                call.required("seq_len").longValue(),
                call.required("is_decode").booleanValue());
        return new ForwardShape.Uniform(call.required("concurrency").longValue(), request);
    }

    /// A recorded figure; infinity is written as a string.
    static double figure(JsonNode parent, String field) {
        JsonNode figure = parent.required(field);
        return figure.isString() ? Double.parseDouble(figure.stringValue()) : figure.doubleValue();
    }

    private static Lengths lengths(JsonNode inputs) {
        return inputs.has("distribution")
                ? new Lengths.Mixed(
                        Distributions.named(inputs.required("distribution").stringValue()))
                : new Lengths.Fixed(inputs.required("input_length").intValue());
    }

    /// Free memory, over all and in prefill, is that of a vector to the last bit.
    static void assertFreeMemory(ServingPoint point, JsonNode expected) {
        assertThat(point.costs().memory().availableGib())
                .isEqualTo(expected.required("memory_left_gb").doubleValue());
        assertThat(point.costs().prefill())
                .extracting(cost -> cost.memory().availableGib())
                .isEqualTo(expected.required("prefill_memory_left_gb").doubleValue());
    }
}
