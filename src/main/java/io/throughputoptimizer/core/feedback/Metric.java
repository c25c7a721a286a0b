package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.BandBasis.Factors;

/// A mean latency printed by a benchmark.
public enum Metric {
    TPOT,
    TTFT;

    /// Returns the factors of the prediction interval of a corrected figure. Quantiles are those of residuals
    /// on the fitted servers, widened by 1.25 (90%) and 1.2 (50%) to cover other servers.
    ///
    /// @param deviation standard deviation of log(measured / corrected)
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
