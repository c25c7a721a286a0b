package io.throughputoptimizer.report.curve;

import io.throughputoptimizer.core.serving.Decimals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/// The area of a plot, one character a place. What is drawn later covers what was there.
final class CharacterGrid {
    private final char[][] rows;
    private final AxisRange x;
    private final AxisRange y;

    CharacterGrid(int width, int height, AxisRange x, AxisRange y) {
        this.rows = new char[height][width];
        this.x = x;
        this.y = y;
        for (char[] row : rows) {
            Arrays.fill(row, ' ');
        }
    }

    int height() {
        return rows.length;
    }

    void mark(double xValue, double yValue, char mark) {
        rows[row(yValue)][column(xValue)] = mark;
    }

    void vertical(double xValue, char mark) {
        for (char[] row : rows) {
            row[column(xValue)] = mark;
        }
    }

    /// The area, top first, behind a vertical axis that begins at the right end of the gutter.
    List<String> linesWithTicks(int gutter, int wanted) {
        Map<Integer, String> labels = new HashMap<>();
        y.ticks(wanted).forEach(tick -> labels.put(row(tick), Decimals.general(tick)));
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < rows.length; i++) {
            String label = labels.getOrDefault(i, "");
            String axis = labels.containsKey(i) ? "+" : "|";
            lines.add(" ".repeat(Math.max(0, gutter - 1 - label.length())) + label + axis + new String(rows[i]));
        }
        return lines;
    }

    /// The horizontal axis and its labels, one below each tick.
    List<String> horizontalAxis(int gutter, int wanted) {
        char[] axis = "-".repeat(width()).toCharArray();
        StringBuilder labels = new StringBuilder();
        for (double tick : x.ticks(wanted)) {
            axis[column(tick)] = '+';
            String label = Decimals.general(tick);
            int start = gutter + Math.min(column(tick) - label.length() / 2, width() - label.length());
            if (start > labels.length()) {
                labels.append(" ".repeat(start - labels.length())).append(label);
            }
        }
        return List.of(" ".repeat(gutter - 1) + "+" + new String(axis), labels.toString());
    }

    private int width() {
        return rows[0].length;
    }

    private int column(double value) {
        return Math.clamp((int) Math.rint(x.share(value) * (width() - 1)), 0, width() - 1);
    }

    private int row(double value) {
        int fromBelow = Math.clamp((int) Math.rint(y.share(value) * (rows.length - 1)), 0, rows.length - 1);
        return rows.length - 1 - fromBelow;
    }

    /// Part of an axis that a chart shows (results, curves: drawing).
    record AxisRange(double lower, double upper) {
        private static final double PADDING = 0.08;

        /// All values and 8 % of their span on either side, or, when there is no span, the larger of a tenth of the
        /// value
        /// and 1. Values that are never negative do not get a negative range. Without values: 0 to 1.
        static AxisRange around(DoubleStream values) {
            DoubleSummaryStatistics all = values.summaryStatistics();
            if (all.getCount() == 0) {
                return new AxisRange(0, 1);
            }
            double span = all.getMax() - all.getMin();
            double padding = span > 0 ? span * PADDING : Math.max(Math.abs(all.getMin()) * 0.1, 1);
            double lower = all.getMin() - padding;
            return new AxisRange(all.getMin() >= 0 ? Math.max(0, lower) : lower, all.getMax() + padding);
        }

        /// Returns the position of a value, from 0 at the lower end to 1 at the upper end.
        double share(double value) {
            return (value - lower) / (upper - lower);
        }

        boolean contains(double value) {
            return value >= lower && value <= upper;
        }

        /// Round values to label, about as many as wanted: multiples of 1, 2 or 5 times a power of ten.
        List<Double> ticks(int wanted) {
            double rough = (upper - lower) / wanted;
            double power = Math.pow(10, Math.floor(Math.log10(rough)));
            double step = power * roundStep(rough / power);
            double first = Math.ceil(lower / step);
            List<Double> ticks = new ArrayList<>();
            for (int i = 0; i <= 2 * wanted; i++) {
                double tick = (first + i) * step;
                if (contains(tick)) {
                    ticks.add(tick);
                }
            }
            return ticks;
        }

        private static double roundStep(double rough) {
            if (rough <= 1) {
                return 1;
            }
            if (rough <= 2) {
                return 2;
            }
            return rough <= 5 ? 5 : 10;
        }
    }
}
