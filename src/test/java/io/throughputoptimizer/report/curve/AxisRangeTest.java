package io.throughputoptimizer.report.curve;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.OptimizerVectors;
import io.throughputoptimizer.report.curve.CharacterGrid.AxisRange;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class AxisRangeTest {

    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(
                OptimizerVectors.common("curve_points").required("padded_axis_limits"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void rangeIsPaddedAsInTheReference(JsonNode vector) {
        AxisRange range = AxisRange.around(
                OptimizerVectors.stream(vector.required("values")).mapToDouble(JsonNode::doubleValue));

        assertThat(range)
                .isEqualTo(new AxisRange(
                        vector.required("result").required(0).doubleValue(),
                        vector.required("result").required(1).doubleValue()));
    }

    @Test
    void withoutValuesItRunsFromZeroToOne() {
        assertThat(AxisRange.around(DoubleStream.empty())).isEqualTo(new AxisRange(0, 1));
    }

    @Test
    void ticksAreRoundAscendingAndInside() {
        assertThat(new AxisRange(0, 1).ticks(5)).containsExactly(0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0);
        assertThat(new AxisRange(18, 52).ticks(7)).containsExactly(20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0);
        Random random = new Random(7);
        for (int i = 0; i < 1_000; i++) {
            double lower = random.nextDouble() * Math.pow(10, random.nextInt(12));
            AxisRange range = new AxisRange(lower, lower + 0.1 + random.nextDouble() * Math.pow(10, random.nextInt(9)));
            assertThat(range.ticks(8))
                    .isSorted()
                    .isNotEmpty()
                    .hasSizeLessThanOrEqualTo(9)
                    .allMatch(range::contains);
        }
    }
}
