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
    public record Images(@Nullable Integer batchSize, int height, int width) {

        /// Images of each request in a batch: those given, else as many as the batch has requests per rank.
        public int perRequest(long requestsPerRank) {
            return batchSize != null ? batchSize : Math.toIntExact(requestsPerRank);
        }
    }

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

    /// Input tokens that prefill computes per request; for a mix their mean.
    public int effectiveInputLength() {
        return lengths.effectiveLength(prefixCacheHitRate);
    }

    /// Most input tokens that prefill computes for any request.
    public int maxEffectiveInputLength() {
        return lengths.maxEffectiveLength(prefixCacheHitRate);
    }

    /// Context of a decoding request halfway through its output: `floor(output / 2) + input + queryLength`, where
    /// the hit rate leaves a fixed input length as it is.
    public int decodeSequenceLength(int queryLength) {
        return outputTokens / 2 + lengths.decodeContext(prefixCacheHitRate) + queryLength;
    }
}
