package io.throughputoptimizer.report;

import io.throughputoptimizer.core.serving.Decimals;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One diagram: throughput over something, one series per layout.
///
/// @param limit highest value of the horizontal axis that is allowed; absent where the axis has no limit
/// @param best the point that the ranked table begins with; absent when there is none
/// @param series in text order of their labels
public record Chart(
        String title,
        Axis x,
        Axis y,
        @Nullable Double limit,
        @Nullable Best best,
        List<Series> series) {

    /// @param name what is measured
    /// @param unit absent for a plain number
    public record Axis(String name, @Nullable String unit) {

        /// Name and unit.
        public String label() {
            return unit == null ? name : name + " (" + unit + ")";
        }

        /// The name inside a sentence: abbreviations keep their capitals.
        String topic() {
            return unit == null ? name.toLowerCase(Locale.ROOT) : name;
        }

        /// A value as a sentence has it: `TPOT 49.787 ms`, `concurrency 193`.
        String phrase(double value) {
            return topic() + " " + Decimals.shortest(value) + (unit == null ? "" : " " + unit);
        }
    }

    /// Points of one layout by concurrency, then batch size, then throughput.
    public record Series(String label, List<Point> points) {
        public Series {
            points = List.copyOf(points);
        }
    }

    /// @param withinSlo whether every limit is kept
    public record Point(double x, double y, long batchSize, long concurrency, boolean withinSlo) {}

    /// @param label of its series
    public record Best(String label, Point point) {}

    public Chart {
        series = List.copyOf(series);
    }

    /// Whether there is anything to draw.
    boolean isEmpty() {
        return series.isEmpty();
    }

    /// Whether some point breaks a limit.
    boolean hasPointsBeyondLimits() {
        return points().anyMatch(point -> !point.withinSlo());
    }

    Stream<Point> points() {
        return series.stream().flatMap(one -> one.points().stream());
    }

    DoubleStream xValues() {
        return points().mapToDouble(Point::x);
    }

    DoubleStream yValues() {
        return points().mapToDouble(Point::y);
    }
}
