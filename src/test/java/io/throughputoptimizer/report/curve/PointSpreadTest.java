package io.throughputoptimizer.report.curve;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.OptimizerVectors;
import io.throughputoptimizer.report.Chart;
import io.throughputoptimizer.report.Chart.Axis;
import io.throughputoptimizer.report.Chart.Point;
import io.throughputoptimizer.report.Chart.Series;
import io.throughputoptimizer.report.curve.PlotRenderer.PointSpread;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class PointSpreadTest {

    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(
                OptimizerVectors.common("curve_points").required("jitter"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void equalPointsAreSpreadAsInTheReferenceAlsoAcrossSeries(JsonNode vector) {
        List<Series> series = IntStream.range(0, vector.required("x").size())
                .mapToObj(i -> new Series(
                        "layout " + i,
                        List.of(new Point(
                                vector.required("x").required(i).doubleValue(),
                                vector.required("y").required(i).doubleValue(),
                                1,
                                1,
                                true))))
                .toList();
        Axis axis = new Axis("any", null);

        List<List<Double>> spread = PointSpread.of(new Chart("any", axis, axis, null, null, series)).stream()
                .map(spot -> List.of(spot.x(), spot.y()))
                .toList();

        assertThat(spread)
                .isEqualTo(OptimizerVectors.stream(vector.required("result"))
                        .map(point -> List.of(
                                point.required(0).doubleValue(),
                                point.required(1).doubleValue()))
                        .toList());
    }
}
