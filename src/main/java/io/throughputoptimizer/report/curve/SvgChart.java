package io.throughputoptimizer.report.curve;

import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.Chart;
import io.throughputoptimizer.report.Chart.Best;
import io.throughputoptimizer.report.Chart.Point;
import io.throughputoptimizer.report.Chart.Series;
import io.throughputoptimizer.report.Chart.Spread;
import io.throughputoptimizer.report.table.BandedFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/// One chart of an SVG picture: axes with units, a line and markers per layout, the limit, the best point and a
/// legend. Points that break a limit have hollow markers.
final class SvgChart {
    static final int WIDTH = 800;

    private static final int LEFT = 80;
    private static final int RIGHT = 24;
    private static final int TOP = 66;
    private static final int PLOT_HEIGHT = 300;
    private static final int BOTTOM = TOP + PLOT_HEIGHT;
    private static final int LEGEND_TOP = BOTTOM + 66;
    private static final int LEGEND_LINE = 22;
    private static final int LEGEND_COLUMNS = 2;
    private static final int TICKS = 10;

    private final Chart chart;
    private final int offset;
    private final AxisRange x;
    private final AxisRange y;

    /// @param offset of its upper edge in the picture
    SvgChart(Chart chart, int offset) {
        this.chart = chart;
        this.offset = offset;
        this.x = AxisRange.around(DoubleStream.concat(chart.xValues(), chart.xEnds()));
        this.y = AxisRange.around(DoubleStream.concat(chart.yValues(), chart.yEnds()));
    }

    int height() {
        int lines =
                Math.ceilDiv(chart.series().size(), LEGEND_COLUMNS) + remarks().size();
        return LEGEND_TOP + lines * LEGEND_LINE + 10;
    }

    void draw(SvgMarkup svg) {
        svg.add("<g transform='translate(0 %s)'>", offset);
        svg.add(
                "<text class='ink' fill='%s' x='%s' y='28' font-size='17' font-weight='600'>%s</text>",
                SvgTheme.LIGHT_INK, LEFT, chart.title());
        svg.addText(LEFT, 52, "start", caption());
        if (!chart.isEmpty()) {
            axes(svg);
            limit(svg);
            drawSeries(svg);
            best(svg);
            legend(svg);
        }
        svg.add("</g>");
    }

    private String caption() {
        if (chart.isEmpty()) {
            return PlotRenderer.NOTHING_TO_DRAW;
        }
        Best best = chart.best();
        return best == null
                ? "No configuration satisfies the limits"
                : "Best: %s at %s%s (%s)"
                        .formatted(
                                chart.throughput(best.point()),
                                chart.place(best.point()),
                                Chart.batch(best.point()),
                                best.label());
    }

    private void axes(SvgMarkup svg) {
        for (double tick : x.ticks(TICKS)) {
            double place = column(tick);
            grid(svg, place, TOP, place, BOTTOM);
            svg.addText(place, BOTTOM + 20, "middle", Decimals.general(tick));
        }
        for (double tick : y.ticks(TICKS)) {
            double place = row(tick);
            grid(svg, LEFT, place, WIDTH - RIGHT, place);
            svg.addText(LEFT - 8, place + 4, "end", Decimals.general(tick));
        }
        svg.add(
                "<path class='axis' stroke='%s' fill='none' d='M %s %s V %s H %s'/>",
                SvgTheme.LIGHT_INK, LEFT, TOP, BOTTOM, WIDTH - RIGHT);
        svg.addText(
                (LEFT + WIDTH - RIGHT) / 2.0, BOTTOM + 42, "middle", chart.x().label());
        svg.add(
                "<text class='ink' fill='%s' transform='translate(18 %s) rotate(-90)' text-anchor='middle'>%s</text>",
                SvgTheme.LIGHT_INK, (TOP + BOTTOM) / 2.0, chart.y().label());
    }

    private static void grid(SvgMarkup svg, double x1, double y1, double x2, double y2) {
        svg.add(
                "<line class='grid' stroke='%s' x1='%s' y1='%s' x2='%s' y2='%s'/>",
                SvgTheme.LIGHT_GRID, x1, y1, x2, y2);
    }

    private void limit(SvgMarkup svg) {
        Double limit = chart.limit();
        if (limit == null) {
            return;
        }
        boolean visible = x.contains(limit);
        if (visible) {
            svg.add(
                    "<line class='limit' stroke='%s' stroke-width='2' stroke-dasharray='6 4' x1='%s' y1='%s' x2='%s' y2='%s'/>",
                    SvgTheme.LIGHT_LIMIT, column(limit), TOP, column(limit), BOTTOM);
        }
        svg.add(
                "<text class='limit-ink' fill='%s' x='%s' y='28' text-anchor='end'>limit: %s%s</text>",
                SvgTheme.LIGHT_LIMIT, WIDTH - RIGHT, chart.x().phrase(limit), visible ? "" : " (outside the chart)");
    }

    private void drawSeries(SvgMarkup svg) {
        for (int i = 0; i < chart.series().size(); i++) {
            SvgMarker marker = new SvgMarker(i);
            Series series = chart.series().get(i);
            svg.add(
                    "<polyline class='series-%s' stroke='%s' fill='none' stroke-width='1.5' stroke-opacity='0.6' points='%s'/>",
                    marker.colour(), marker.lightColour(), path(series));
            series.points().forEach(point -> errorBars(svg, marker, point));
            for (Point point : series.points()) {
                marker.draw(svg, column(point.x()), row(point.y()), point.withinSlo(), words(series, point));
            }
        }
    }

    /// Where a point may lie, on either axis; dashed where it is uncalibrated.
    private void errorBars(SvgMarkup svg, SvgMarker marker, Point point) {
        Spread spread = point.spread();
        if (spread == null) {
            return;
        }
        Stream.of(
                        Optional.ofNullable(spread.x()).flatMap(banded -> horizontal(banded, point)),
                        vertical(spread.y(), point))
                .flatMap(Optional::stream)
                .forEach(path -> svg.add(
                        "<path class='error series-%s' stroke='%s' fill='none' stroke-opacity='0.35' stroke-dasharray='%s' d='%s'/>",
                        marker.colour(), marker.lightColour(), spread.y().band() == null ? "3 2" : "none", path));
    }

    /// A band that lacks an end goes to the edge of the chart.
    private Optional<String> horizontal(BandedFigure banded, Point point) {
        Double low = banded.low();
        Double high = banded.high();
        return banded.ends() == null
                ? Optional.empty()
                : Optional.of("M %s %s H %s"
                        .formatted(
                                low == null ? LEFT : Decimals.fixed(column(low), 1),
                                Decimals.fixed(row(point.y()), 1),
                                high == null ? WIDTH - RIGHT : Decimals.fixed(column(high), 1)));
    }

    private Optional<String> vertical(BandedFigure banded, Point point) {
        Double low = banded.low();
        Double high = banded.high();
        return banded.ends() == null
                ? Optional.empty()
                : Optional.of("M %s %s V %s"
                        .formatted(
                                Decimals.fixed(column(point.x()), 1),
                                low == null ? BOTTOM : Decimals.fixed(row(low), 1),
                                high == null ? TOP : Decimals.fixed(row(high), 1)));
    }

    private String path(Series series) {
        return series.points().stream()
                .map(point -> Decimals.fixed(column(point.x()), 1) + "," + Decimals.fixed(row(point.y()), 1))
                .collect(Collectors.joining(" "));
    }

    private String words(Series series, Point point) {
        return series.label() + ": " + chart.exact(point) + ", " + chart.place(point) + Chart.batch(point)
                + (point.withinSlo() ? "" : ", breaks a limit");
    }

    private void best(SvgMarkup svg) {
        Best best = chart.best();
        if (best != null) {
            svg.add(
                    "<circle class='best' stroke='%s' stroke-width='2' fill='none' cx='%s' cy='%s' r='10'/>",
                    SvgTheme.LIGHT_INK,
                    column(best.point().x()),
                    row(best.point().y()));
        }
    }

    private void legend(SvgMarkup svg) {
        int width = (WIDTH - LEFT - RIGHT) / LEGEND_COLUMNS;
        int count = chart.series().size();
        for (int i = 0; i < count; i++) {
            double left = LEFT + i % LEGEND_COLUMNS * width;
            double line = LEGEND_TOP + i / LEGEND_COLUMNS * LEGEND_LINE;
            String label = PlotLegend.cut(chart.series().get(i).label());
            new SvgMarker(i).draw(svg, left + 6, line - 4, true, label);
            svg.addText(left + 20, line, "start", label);
        }
        List<String> remarks = remarks();
        for (int i = 0; i < remarks.size(); i++) {
            double line = LEGEND_TOP + (Math.ceilDiv(count, LEGEND_COLUMNS) + i) * LEGEND_LINE;
            svg.addText(LEFT, line, "start", remarks.get(i));
        }
    }

    /// What the marks mean, below the series.
    private List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        if (chart.hasPointsBeyondLimits()) {
            remarks.add("Hollow markers break a limit");
        }
        if (chart.hasUncalibratedPoints()) {
            remarks.add("Dashed bars show the range of a figure, which is uncalibrated");
        } else if (chart.hasSpreads()) {
            remarks.add("Bars show the band of a figure");
        }
        return remarks;
    }

    private double column(double value) {
        return LEFT + x.share(value) * (WIDTH - LEFT - RIGHT);
    }

    private double row(double value) {
        return BOTTOM - y.share(value) * PLOT_HEIGHT;
    }
}
