package io.throughputoptimizer.report.curve;

import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.GridTable;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A figure over two axes as an SVG picture: the larger the figure the darker its field. Fields without a figure are
/// hatched by a dash. Each field has its figure as text, so that no colour is needed to read it.
public final class HeatMap {
    /// From light to dark; the first ones take dark ink.
    private static final List<String> FILLS =
            List.of("#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b");

    private static final int DARK_INK_BELOW = 5;
    private static final String BRIGHT = "#ffffff";
    private static final int FIELD_WIDTH = 92;
    private static final int FIELD_HEIGHT = 30;
    private static final int CHARACTER = 8;
    private static final int LONGEST_LABEL = 40;
    private static final int TOP = 96;

    private final GridTable table;
    private final int left;
    private final DoubleSummaryStatistics figures;

    private HeatMap(GridTable table) {
        this.table = table;
        this.left = 24
                + CHARACTER
                        * table.rows().stream()
                                .mapToInt(row -> cut(row).length())
                                .reduce(Math.min(LONGEST_LABEL, table.rowLabel().length()), Math::max);
        this.figures = table.cells().stream()
                .flatMap(List::stream)
                .filter(Number.class::isInstance)
                .mapToDouble(value -> ((Number) value).doubleValue())
                .filter(Double::isFinite)
                .summaryStatistics();
    }

    public static String svg(GridTable table) {
        return new HeatMap(table).draw();
    }

    private String draw() {
        int width = Math.max(360, left + table.columns().size() * FIELD_WIDTH + 24);
        int height = TOP + table.rows().size() * FIELD_HEIGHT + 24;
        SvgMarkup svg = new SvgMarkup();
        svg.add(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %s %s' width='%s' height='%s' role='img'"
                        + " font-family='system-ui, sans-serif' font-size='13'>",
                width, height, width, height);
        svg.add("<title>%s</title>", title());
        svg.add("<style>%s</style>", SvgTheme.darkStyles());
        svg.add("<rect class='surface' fill='%s' width='100%%' height='100%%'/>", SvgTheme.LIGHT_SURFACE);
        svg.add(
                "<text class='ink' fill='%s' x='16' y='28' font-size='17' font-weight='600'>%s</text>",
                SvgTheme.LIGHT_INK, table.value());
        svg.addText(left, 56, "start", cut(table.columnLabel()));
        svg.addText(left - 8, TOP - 12, "end", cut(table.rowLabel()));
        for (int column = 0; column < table.columns().size(); column++) {
            svg.addText(
                    left + (column + 0.5) * FIELD_WIDTH,
                    TOP - 12,
                    "middle",
                    cut(table.columns().get(column)));
        }
        for (int row = 0; row < table.rows().size(); row++) {
            double y = TOP + row * (double) FIELD_HEIGHT;
            svg.addText(left - 8, y + 20, "end", cut(table.rows().get(row)));
            for (int column = 0; column < table.columns().size(); column++) {
                field(
                        svg,
                        left + column * (double) FIELD_WIDTH,
                        y,
                        table.cells().get(row).get(column));
            }
        }
        svg.add("</svg>");
        return svg.toString();
    }

    private String title() {
        return table.value() + " over " + table.rowLabel() + " and " + table.columnLabel();
    }

    private void field(SvgMarkup svg, double x, double y, @Nullable Object value) {
        double middle = x + FIELD_WIDTH / 2.0;
        if (!(value instanceof Number number)) {
            svg.add(
                    "<rect class='grid' stroke='%s' fill='none' x='%s' y='%s' width='%s' height='%s'/>",
                    SvgTheme.LIGHT_GRID, x, y, FIELD_WIDTH - 2, FIELD_HEIGHT - 2);
            svg.addText(middle, y + 20, "middle", value == null ? "–" : cut(value.toString()));
            return;
        }
        int shade = shade(number.doubleValue());
        svg.add(
                "<rect fill='%s' x='%s' y='%s' width='%s' height='%s'/>",
                FILLS.get(shade), x, y, FIELD_WIDTH - 2, FIELD_HEIGHT - 2);
        svg.add(
                "<text fill='%s' x='%s' y='%s' text-anchor='middle'>%s</text>",
                shade < DARK_INK_BELOW ? SvgTheme.LIGHT_INK : BRIGHT,
                middle,
                y + 20,
                Decimals.general(number.doubleValue()));
    }

    /// Equal figures everywhere are as light as can be.
    private int shade(double figure) {
        double span = figures.getMax() - figures.getMin();
        return span > 0
                ? (int) Math.min(FILLS.size() - 1, Math.floor((figure - figures.getMin()) / span * FILLS.size()))
                : 0;
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_LABEL ? text : text.substring(0, LONGEST_LABEL - 1) + "…";
    }
}
