package io.throughputoptimizer.report.curve;

import io.throughputoptimizer.report.Chart;
import io.throughputoptimizer.report.Chart.Point;
import java.util.ArrayList;
import java.util.List;

/// What the characters of a plot mean.
final class PlotLegend {
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
