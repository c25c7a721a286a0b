package io.throughputoptimizer.report.curve;

import io.throughputoptimizer.report.Chart;
import io.throughputoptimizer.report.Chart.Point;
import io.throughputoptimizer.report.Curves;
import io.throughputoptimizer.report.curve.PointSpread.Spot;
import io.throughputoptimizer.report.table.Printable;
import java.util.ArrayList;
import java.util.List;
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
}
