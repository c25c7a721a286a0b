package io.throughputoptimizer.core.feedback;

import java.util.Arrays;

/// Covariance of log(measured / predicted) before any measurement: a Gaussian process whose mean is the
/// calibrated model. Two figures are correlated through the [Parameter]s that affect both, and for the same
/// metric also by layout and by the distance of their loads and lengths:
///
///     K = J S J' + [same metric] (l^2 [same layout] + v^2 s e^(-(x_b^2 + x_isl^2 + x_osl^2) / 2))
///     s = 1 of the same layout, 0.5 of others
///     x = ln(one / other) / 1.2,   N = n^2 (+ 0.1^2 of TPOT, 0.8^2 of TTFT near the capacity of the cache)
///
/// @param parameters standard deviations by [Parameter]
/// @param layout `l` by [Metric]
/// @param smooth `v` by [Metric]
/// @param noise `n` by [Metric], for dense and for MoE models
@SuppressWarnings({"ArrayRecordComponent", "EnumOrdinal"}) // arrays by metric and parameter; nobody compares two
record Prior(double[] parameters, double[] layout, double[] smooth, double[][] noise) {
    /// Prior fitted to measured servers, for version 2 of the model's laws.
    static final Prior FITTED = new Prior(
            Arrays.stream(Parameter.values()).mapToDouble(Parameter::deviation).toArray(),
            new double[] {0.0201, 0.2016},
            new double[] {0.0488, 0.1393},
            new double[][] {{0.056, 0.0146}, {0.0688, 0.0803}});

    private static final double OTHER_LAYOUT = 0.5;
    private static final double REACH = 1.2;
    private static final double[] NEAR_CAPACITY = {0.1, 0.8};

    /// A figure of a configuration.
    ///
    /// @param slopes derivatives of the logarithm of the figure by [Parameter], at 0
    record Figure(Metric metric, Configuration at, double[] slopes) {}

    /// Returns the covariance of two figures.
    double covariance(Figure one, Figure other) {
        double sum = 0;
        for (int parameter = 0; parameter < parameters.length; parameter++) {
            sum += one.slopes[parameter] * parameters[parameter] * parameters[parameter] * other.slopes[parameter];
        }
        if (one.metric != other.metric) {
            return sum;
        }
        int metric = one.metric.ordinal();
        boolean same = one.at.layout().equals(other.at.layout());
        double near = Math.exp(-one.at.squaredDistance(other.at) / (2 * REACH * REACH));
        return sum
                + (same ? layout[metric] * layout[metric] : 0)
                + smooth[metric] * smooth[metric] * near * (same ? 1 : OTHER_LAYOUT);
    }

    /// Returns the variance of a benchmark result around its mean.
    double noise(Metric metric, Configuration at) {
        double plain = noise[metric.ordinal()][at.hasExperts() ? 1 : 0];
        double waiting = at.isNearCapacity() ? NEAR_CAPACITY[metric.ordinal()] : 0;
        return plain * plain + waiting * waiting;
    }
}
