package io.throughputoptimizer.core.workload;

/// Input lengths of a workload.
public sealed interface Lengths {

    /// Returns the input tokens that prefill computes per request; the mean for a mix.
    int effectiveLength(double prefixCacheHitRate);

    /// Returns the most input tokens of any request.
    int longest();

    /// Returns the most input tokens that prefill computes for any request.
    int maxEffectiveLength(double prefixCacheHitRate);

    /// Returns the input tokens in the context of a decoding request. Decode holds cached tokens too, so a
    /// fixed length counts in full; a mix counts with its mean effective length, as in the reference.
    int decodeContext(double prefixCacheHitRate);

    /// Every request has the same input length.
    record Fixed(int inputTokens) implements Lengths {
        public Fixed {
            if (inputTokens <= 0) {
                throw new IllegalArgumentException(
                        "input length is " + inputTokens + ": a positive whole number is needed");
            }
        }

        @Override
        public int longest() {
            return inputTokens;
        }

        @Override
        public int effectiveLength(double prefixCacheHitRate) {
            return PrefixCache.uncachedTokens(inputTokens, prefixCacheHitRate);
        }

        @Override
        public int maxEffectiveLength(double prefixCacheHitRate) {
            return effectiveLength(prefixCacheHitRate);
        }

        @Override
        public int decodeContext(double prefixCacheHitRate) {
            return inputTokens;
        }
    }

    /// Input lengths follow a distribution.
    record Mixed(LengthDistribution distribution) implements Lengths {

        @Override
        public int longest() {
            return distribution.maxEffectiveLength(0);
        }

        @Override
        public int effectiveLength(double prefixCacheHitRate) {
            return RequestMix.of(distribution, prefixCacheHitRate).meanQueryLength();
        }

        @Override
        public int maxEffectiveLength(double prefixCacheHitRate) {
            return distribution.maxEffectiveLength(prefixCacheHitRate);
        }

        @Override
        public int decodeContext(double prefixCacheHitRate) {
            return effectiveLength(prefixCacheHitRate);
        }
    }
}
