package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class InstanceCountsTest {
    /// What the reference gives when no pair fits.
    private static final InstanceCounts NONE = new InstanceCounts(0, 0);

    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(OptimizerVectors.common("pd_instance_allocation"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void countsEqualThoseOfTheReference(JsonNode vector) {
        InstanceCounts counts = InstanceCounts.of(
                        vector.required("pd_ratio").doubleValue(),
                        vector.required("total_devices").intValue(),
                        vector.required("p_devices").intValue(),
                        vector.required("d_devices").intValue())
                .orElse(NONE);

        assertThat(List.of(counts.prefill(), counts.decode())).isEqualTo(OptimizerVectors.integers(vector, "result"));
    }

    @Test
    void aRatioBeyondAnyCountDoesNotFit() {
        assertThat(InstanceCounts.of(1e300, Integer.MAX_VALUE, 1, Integer.MAX_VALUE / 2))
                .isEmpty();
    }
}
