package io.throughputoptimizer.core.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class WorkloadTest {

    /// A request states height and width together or not at all, so the vectors with one of them do not apply.
    static Stream<Arguments> images() {
        return OptimizerVectors.arguments(
                OptimizerVectors.common("image_batch_size"),
                vector -> vector.required("image_width").isNumber());
    }

    @ParameterizedTest
    @MethodSource("images")
    void imagesPerRequestAreThoseGivenElseTheBatchSize(JsonNode vector) {
        JsonNode given = vector.required("image_batch_size");
        Workload.Images images = new Workload.Images(
                given.isNull() ? null : given.intValue(),
                vector.required("image_height").intValue(),
                vector.required("image_width").intValue());

        assertThat(images.perRequest(vector.required("batch_size").longValue()))
                .isEqualTo(vector.required("request_image_batch_size").intValue());
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1, Double.NaN})
    void aHitRateOutsideOfZeroToOneIsRefused(double hitRate) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Workload(new Lengths.Fixed(10), 10, hitRate, null))
                .withMessage("prefix cache hit rate is " + hitRate + ": a share in [0, 1) is needed");
    }
}
