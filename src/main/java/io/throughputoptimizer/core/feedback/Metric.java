package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.silicon.BandBasis.Coverage;
import io.throughputoptimizer.core.silicon.BandBasis.Factors;

/// A mean that a benchmark prints.
public enum Metric {
    TPOT,
    TTFT;

    /// Ends of a band around a corrected figure. The quantiles are those of residuals on the servers that the estimator
    /// was fitted on, 1.25 times as far out at nine tenths and 1.2 times at half, to cover servers that it was not.
    ///
    /// @param deviation standard deviation of the logarithm of measured over corrected
    Factors ends(Coverage coverage, double deviation) {
        return switch (coverage) {
            case NINE_TENTHS -> this == TPOT ? ends(deviation, -2.134, 2.196) : ends(deviation, -1.829, 2.231);
            case HALF -> this == TPOT ? ends(deviation, -0.656, 0.56) : ends(deviation, -0.55, 0.624);
        };
    }

    private static Factors ends(double deviation, double low, double high) {
        return new Factors(Math.exp(low * deviation), Math.exp(high * deviation));
    }
}
