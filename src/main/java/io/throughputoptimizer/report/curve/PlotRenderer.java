package io.throughputoptimizer.report.curve;

import io.throughputoptimizer.report.Chart;
import io.throughputoptimizer.report.Chart.Point;
import io.throughputoptimizer.report.Curves;
import io.throughputoptimizer.report.curve.CharacterGrid.AxisRange;
import io.throughputoptimizer.report.curve.PlotRenderer.PointSpread.Spot;
import io.throughputoptimizer.report.table.Printable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/// Charts in plain characters, [#WIDTH] by [#HEIGHT] at most each (results, curves: drawing).
///
/// Each series has a letter: upper case where a point keeps the limits, lower case where it breaks one.
public final class PlotRenderer {
    static final int WIDTH = 128;
    static final int HEIGHT = 38;

    private static final String NOTHING_TO_DRAW = "(no configuration fits in memory)";

    private static final int GUTTER = 12;
    /// Title, vertical label, horizontal axis, its ticks and its label.
    private static final int LINES_AROUND = 5;

    private static final int X_TICKS = 10;
    private static final int ROWS_PER_TICK = 3;
    private static final char BEST = '*';
    private static final char LIMIT = ':';

    private PlotRenderer() {}

    /// Returns the charts one below the other, or the note that there are none.
    public static String render(Curves curves) {
        return curves.charts().isEmpty()
                ? Printable.of(curves.note()) + "\n"
                : curves.charts().stream().map(PlotRenderer::chart).collect(Collectors.joining("\n"));
    }

    private static String chart(Chart chart) {
        List<String> lines = new ArrayList<>(List.of(chart.title()));
        if (chart.isEmpty()) {
            lines.add(NOTHING_TO_DRAW);
        } else {
            List<String> legend = PlotLegend.lines(chart);
            lines.addAll(plot(chart, HEIGHT - LINES_AROUND - legend.size()));
            lines.addAll(legend);
        }
        return lines.stream()
                .map(Printable::of)
                .map(line -> line.substring(0, Math.min(line.length(), WIDTH)).stripTrailing() + "\n")
                .collect(Collectors.joining());
    }

    private static List<String> plot(Chart chart, int height) {
        List<Spot> spots = PointSpread.of(chart);
        AxisRange x = AxisRange.around(
                DoubleStream.concat(chart.xValues(), spots.stream().mapToDouble(Spot::x)));
        AxisRange y = AxisRange.around(
                DoubleStream.concat(chart.yValues(), spots.stream().mapToDouble(Spot::y)));
        CharacterGrid grid = new CharacterGrid(WIDTH - GUTTER, height, x, y);
        if (chart.limit() != null && x.contains(chart.limit())) {
            grid.vertical(chart.limit(), LIMIT);
        }
        spots.stream().filter(spot -> !spot.withinSlo()).forEach(spot -> grid.mark(spot.x(), spot.y(), letter(spot)));
        spots.stream().filter(Spot::withinSlo).forEach(spot -> grid.mark(spot.x(), spot.y(), letter(spot)));
        Point best = chart.best();
        if (best != null) {
            grid.mark(best.x(), best.y(), BEST);
        }
        return framed(chart, grid);
    }

    private static List<String> framed(Chart chart, CharacterGrid grid) {
        List<String> lines = new ArrayList<>(List.of(chart.y().label()));
        lines.addAll(grid.linesWithTicks(GUTTER, grid.height() / ROWS_PER_TICK));
        lines.addAll(grid.horizontalAxis(GUTTER, X_TICKS));
        String label = chart.x().label();
        lines.add(" ".repeat(Math.max(0, WIDTH - label.length())) + label);
        return lines;
    }

    /// Letter of a series: after Z it starts again.
    static char letter(int series) {
        return (char) ('A' + series % 26);
    }

    private static char letter(Spot spot) {
        char letter = letter(spot.series());
        return spot.withinSlo() ? letter : Character.toLowerCase(letter);
    }

    /// Meaning of the characters of a plot.
    static final class PlotLegend {
        private static final int MOST_LINES = 10;
        private static final int LONGEST_LABEL = 79;
        private static final int KEPT = 77;
        private static final int COLUMN = PlotRenderer.WIDTH / 2;

        private PlotLegend() {}

        /// One line for the marks, then one or two series a line; when there are too many, their number.
        static List<String> lines(Chart chart) {
            List<String> entries = new ArrayList<>();
            for (int i = 0; i < chart.series().size(); i++) {
                entries.add("  " + PlotRenderer.letter(i) + "  "
                        + cut(chart.series().get(i).label()));
            }
            boolean narrow = entries.stream().allMatch(entry -> entry.length() < COLUMN);
            List<String> lines = new ArrayList<>(List.of(marks(chart)));
            int columns = narrow ? 2 : 1;
            int shown = Math.min(entries.size(), columns * (MOST_LINES - 2));
            for (int i = 0; i < shown; i += columns) {
                lines.add(line(entries.subList(i, Math.min(i + columns, shown))));
            }
            if (shown < entries.size()) {
                lines.add("  and " + (entries.size() - shown) + " more");
            }
            return lines;
        }

        /// A label of more than 79 characters ends in dots.
        static String cut(String label) {
            return label.length() > LONGEST_LABEL ? label.substring(0, KEPT) + "..." : label;
        }

        private static String marks(Chart chart) {
            List<String> marks = new ArrayList<>();
            Point best = chart.best();
            if (best != null) {
                marks.add("*  best: " + chart.throughput(best) + " at " + chart.place(best));
            }
            if (chart.limit() != null) {
                marks.add(":  limit: " + chart.x().phrase(chart.limit()));
            }
            if (best == null && chart.hasUncalibratedPoints()) {
                marks.add("figures are uncalibrated");
            }
            if (chart.hasPointsBeyondLimits()) {
                marks.add("lower case: breaks a limit");
            }
            return marks.isEmpty() ? "" : "  " + String.join("    ", marks);
        }

        private static String line(List<String> entries) {
            StringBuilder line = new StringBuilder();
            for (String entry : entries) {
                line.append(entry).append(" ".repeat(Math.max(0, COLUMN - entry.length())));
            }
            return line.toString();
        }
    }

    /// Moves points apart that lie on each other, so that none hides another (results, curves: drawing).
    ///
    /// Points whose coordinates are equal to 6 decimals are spread around their place along a diagonal, one step
    /// from the next. A step is, on either axis, the largest of 0.3 % of the span, 0.1 % of the largest
    /// absolute value and 0.001.
    static final class PointSpread {
        private static final double MILLION = 1e6;

        /// Position of a point.
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
}
