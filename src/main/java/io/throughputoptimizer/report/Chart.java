package io.throughputoptimizer.report;

import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.BandedFigure;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One diagram: throughput over something, one series per layout; or devices over demand.
///
/// @param limit highest value of the horizontal axis that is allowed; absent where the axis has no limit
/// @param best the point that the ranked table begins with; absent when there is none
/// @param series in text order of their labels
public record Chart(
        String title,
        Axis x,
        Axis y,
        @Nullable Double limit,
        @Nullable Point best,
        List<Series> series) {

    /// @param name what is measured
    /// @param unit absent for a plain number
    public record Axis(String name, @Nullable String unit) {

        /// Name and unit.
        public String label() {
            return unit == null ? name : name + " (" + unit + ")";
        }

        /// The name inside a sentence: abbreviations keep their capitals.
        public String topic() {
            return unit == null ? name.toLowerCase(Locale.ROOT) : name;
        }

        /// A value as a sentence has it: `TPOT 49.787 ms`, `concurrency 193`.
        public String phrase(double value) {
            return topic() + " " + Decimals.shortest(value) + (unit == null ? "" : " " + unit);
        }
    }

    /// Points of one layout by concurrency, then batch size, then throughput.
    public record Series(String label, List<Point> points) {
        public Series {
            points = List.copyOf(points);
        }
    }

    /// @param batchSize of the instance that it is about; absent where it is about none
    /// @param concurrency of that instance
    /// @param withinSlo whether every limit is kept
    /// @param spread where its figures may lie; absent where nobody says
    public record Point(
            double x,
            double y,
            @Nullable Long batchSize,
            @Nullable Long concurrency,
            boolean withinSlo,
            @Nullable Spread spread) {

        /// About no instance.
        public static Point of(double x, double y) {
            return new Point(x, y, null, null, true, null);
        }

        /// Creates a point without bands.
        public Point(double x, double y, long batchSize, long concurrency, boolean withinSlo) {
            this(x, y, batchSize, concurrency, withinSlo, null);
        }
    }

    /// Prediction intervals of a point.
    ///
    /// @param x of the horizontal axis; absent for a plain number
    public record Spread(@Nullable BandedFigure x, BandedFigure y) {}

    public Chart {
        series = List.copyOf(series);
    }

    /// `3875.21 token/s`, or with its band `10752.5 token/s (7904.2 to 11969.7)`.
    public String throughput(Point point) {
        Spread spread = point.spread;
        return spread == null
                ? y.unit == null ? y.phrase(point.y) : Decimals.fixed(point.y, 2) + " " + y.unit
                : spread.y.text("token/s");
    }

    /// `TPOT 49.787 ms`, or with its band `TPOT 29.9 ms (26.9 to 40.4)`.
    public String place(Point point) {
        BandedFigure banded = point.spread == null ? null : point.spread.x;
        String unit = x.unit == null ? "" : x.unit;
        return banded == null ? x.phrase(point.x) : x.topic() + " " + banded.text(unit);
    }

    /// Returns whether any point is uncalibrated.
    public boolean hasUncalibratedPoints() {
        return points().anyMatch(point -> point.spread != null && point.spread.y.band() == null);
    }

    /// Returns whether the chart has no point.
    public boolean isEmpty() {
        return series.isEmpty();
    }

    /// Returns whether any point exceeds a limit.
    public boolean hasPointsBeyondLimits() {
        return points().anyMatch(point -> !point.withinSlo());
    }

    public Stream<Point> points() {
        return series.stream().flatMap(one -> one.points().stream());
    }

    public DoubleStream xValues() {
        return points().mapToDouble(Point::x);
    }

    public DoubleStream yValues() {
        return points().mapToDouble(Point::y);
    }
}
