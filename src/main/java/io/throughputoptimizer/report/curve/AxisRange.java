package io.throughputoptimizer.report.curve;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;

/// Part of an axis that a chart shows (results, curves: drawing).
record AxisRange(double lower, double upper) {
    private static final double PADDING = 0.08;

    /// All values and 8 % of their span on either side, or, when there is no span, the larger of a tenth of the value
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

    /// Where a value lies, from 0 at the lower end to 1 at the upper end.
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
