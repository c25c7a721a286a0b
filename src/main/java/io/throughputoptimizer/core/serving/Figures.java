package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.load.PrefixCacheStats;
import org.jspecify.annotations.Nullable;

/// Latencies in ms and throughputs of an instance at one load. A disaggregated phase has only one of TTFT and
/// TPOT.
///
/// @param sustainedRequestsPerS requests per second of the instance that the time of its passes suffices for, for any
///     accounting of TTFT: each request counts with all passes that it takes part in
/// @param requestLatencyMillis mean end-to-end latency; its part in a disaggregated phase; absent if unknown
/// @param kept prefix cache statistics of conversations at a rank; absent for independent requests
public record Figures(
        @Nullable Double ttftMillis,
        @Nullable Double tpotMillis,
        double tokensPerSecond,
        double tokensPerSecondPerDevice,
        double sustainedRequestsPerS,
        @Nullable Double requestLatencyMillis,
        @Nullable PrefixCacheStats kept) {

    /// Figures of a point whose evaluation ended at a pass that does not fit in memory.
    static final Figures OUT_OF_MEMORY =
            new Figures(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 0, 0, 0, Double.POSITIVE_INFINITY, null);

    static Figures of(
            @Nullable Double ttftMillis,
            @Nullable Double tpotMillis,
            double tokensPerSecond,
            double sustainedRequestsPerS,
            double requestLatencyMillis,
            @Nullable PrefixCacheStats kept,
            ParallelLayout layout) {
        double perDevice = tokensPerSecond / layout.dp() / layout.pp() / layout.tp();
        return new Figures(
                ttftMillis, tpotMillis, tokensPerSecond, perDevice, sustainedRequestsPerS, requestLatencyMillis, kept);
    }

    /// Returns the rate of `requests` that take `millis` of passes; 0 if they take no time.
    static double perSecond(double requests, double millis) {
        return millis > 0 ? 1000 * requests / millis : 0;
    }
}
