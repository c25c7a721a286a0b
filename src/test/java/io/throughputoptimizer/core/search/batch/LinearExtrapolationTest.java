package io.throughputoptimizer.core.search.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.search.batch.LinearExtrapolation.MemoryGrowth;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.serving.Load;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class LinearExtrapolationTest {

    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(OptimizerVectors.common("estimate_right_boundary"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void estimateEqualsTheReference(JsonNode vector) {
        JsonNode right = vector.required("right");
        MemoryGrowth memory = new MemoryGrowth(
                right.required("per_request_memory_gb").doubleValue(),
                right.required("device_memory_available_gb").doubleValue());
        Limits limits = new Limits(
                OptimizerVectors.number(vector, "ttft_limits"), OptimizerVectors.number(vector, "tpot_limits"));

        assertThat(LinearExtrapolation.estimate(sample(vector.required("left")), sample(right), memory, limits))
                .isEqualTo(vector.required("estimate").doubleValue());
    }

    @Test
    void memoryPerRequestLeavesOutTheWeights() {
        ServingPoint point = SearchModel.named("memory_limit").outcome(40).point();

        assertThat(MemoryGrowth.at(point)).isEqualTo(new MemoryGrowth(0.5, 46 - 0.5 * 40));
    }

    /// A line to infinity would reach any limit at the left probe and leave three batch sizes to search.
    @Test
    void aProbeThatRanOutOfMemoryBoundsByMemoryAlone() {
        double infinity = Double.POSITIVE_INFINITY;

        assertThat(LinearExtrapolation.estimate(
                        sample(1, 10.0, 10.0),
                        sample(512, infinity, infinity),
                        new MemoryGrowth(0.5, -100),
                        new Limits(1000.0, 50.0)))
                .isEqualTo(512 - 100 / 0.5 + 1);
    }

    private static ServingPoint sample(JsonNode probe) {
        return sample(
                probe.required("batch_size").longValue(),
                OptimizerVectors.number(probe, "ttft"),
                OptimizerVectors.number(probe, "tpot"));
    }

    private static ServingPoint sample(long batchSize, @Nullable Double ttft, @Nullable Double tpot) {
        return new ServingPoint(
                new Load(batchSize, batchSize),
                new Figures(ttft, tpot, 1, 1, 1, null, null),
                SearchModel.named("memory_limit").outcome(1).point().costs(),
                0,
                List.of());
    }
}
