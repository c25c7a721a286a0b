package io.throughputoptimizer.core.workload;

import org.jspecify.annotations.Nullable;

/// What is asked of a deployment.
///
/// @param lengths input lengths
/// @param outputTokens tokens generated per request
/// @param prefixCacheHitRate share of input tokens found in the prefix cache, in [0, 1)
/// @param images images that come with each request, absent for text only
public record Workload(
        Lengths lengths,
        int outputTokens,
        double prefixCacheHitRate,
        @Nullable Images images) {

    /// Images of a request.
    ///
    /// @param batchSize images per request; absent means as many as the batch size
    public record Images(@Nullable Integer batchSize, int height, int width) {}

    public Workload {
        if (outputTokens <= 0) {
            throw new IllegalArgumentException(
                    "output length is " + outputTokens + ": a positive whole number is needed");
        }
        if (!(prefixCacheHitRate >= 0 && prefixCacheHitRate < 1)) {
            throw new IllegalArgumentException(
                    "prefix cache hit rate is " + prefixCacheHitRate + ": a share in [0, 1) is needed");
        }
    }
}
