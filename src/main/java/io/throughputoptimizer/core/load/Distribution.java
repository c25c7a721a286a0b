package io.throughputoptimizer.core.load;

import java.util.Arrays;

/// Distribution of a figure over requests, at least one.
public final class Distribution {
    private final double mean;
    private final double[] sorted;

    private Distribution(double mean, double[] sorted) {
        this.mean = mean;
        this.sorted = sorted;
    }

    /// Returns the distribution of values.
    ///
    /// @param values at least one value, in any order
    public static Distribution of(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Distribution(sum / values.length, sorted);
    }

    public double mean() {
        return mean;
    }

    public double p50() {
        return percentile(50);
    }

    public double p90() {
        return percentile(90);
    }

    public double p99() {
        return percentile(99);
    }

    /// Returns a percentile, linear between the order statistics around rank `percent / 100 (n - 1)`.
    ///
    /// @param percent percentile from 0 to 100
    public double percentile(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException("percentile " + percent + ": from 0 to 100");
        }
        double rank = percent / 100 * (sorted.length - 1);
        int below = (int) rank;
        return below + 1 >= sorted.length
                ? sorted[sorted.length - 1]
                : sorted[below] + (rank - below) * (sorted[below + 1] - sorted[below]);
    }
}
