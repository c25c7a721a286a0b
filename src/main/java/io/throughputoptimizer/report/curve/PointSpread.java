package io.throughputoptimizer.report.curve;

import io.throughputoptimizer.report.Chart;
import io.throughputoptimizer.report.Chart.Point;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/// Moves points apart that lie on each other, so that none hides another (results, curves: drawing).
///
/// Points whose coordinates are equal to 6 decimals are spread around their place along a diagonal, one step
/// from the next. A step is, on either axis, the largest of 0.3 % of the span, 0.1 % of the largest absolute value
/// and 0.001.
final class PointSpread {
    private static final double MILLION = 1e6;

    /// Where a point is drawn.
    ///
    /// @param series place of its series in the chart
    record Spot(int series, double x, double y, boolean withinSlo) {}

    private record Place(double x, double y) {
        private static Place of(Point point) {
            return new Place(rounded(point.x()), rounded(point.y()));
        }

        private static double rounded(double value) {
            return Math.rint(value * MILLION) / MILLION;
        }
    }

    private PointSpread() {}

    /// All points of a chart in its order.
    static List<Spot> of(Chart chart) {
        Map<Place, Integer> sizes = new HashMap<>();
        chart.points().forEach(point -> sizes.merge(Place.of(point), 1, Integer::sum));
        double xStep = step(chart.xValues());
        double yStep = step(chart.yValues());
        Map<Place, Integer> drawn = new HashMap<>();
        List<Spot> spots = new ArrayList<>();
        for (int i = 0; i < chart.series().size(); i++) {
            for (Point point : chart.series().get(i).points()) {
                Place place = Place.of(point);
                int nth = drawn.merge(place, 1, Integer::sum) - 1;
                double offset = nth - (sizes.getOrDefault(place, 1) - 1) / 2.0;
                spots.add(new Spot(i, point.x() + offset * xStep, point.y() + offset * yStep, point.withinSlo()));
            }
        }
        return spots;
    }

    private static double step(DoubleStream values) {
        double[] all = values.toArray();
        double span = DoubleStream.of(all).max().orElse(0)
                - DoubleStream.of(all).min().orElse(0);
        double largest = DoubleStream.of(all).map(Math::abs).max().orElse(0);
        return Math.max(Math.max(span * 0.003, largest * 0.001), 0.001);
    }
}
