package io.throughputoptimizer.core.workload;

/// Tokens that the prefix cache leaves to compute.
final class PrefixCache {
    private PrefixCache() {}

    /// Returns `input - floor(input * hitRate)`, the product in doubles: 100 tokens at 0.29 give
    /// 28.999999999999996, so 28 are cached and 72 remain. At any rate below 1 the product stays below the
    /// input, so at least 1 remains.
    static int uncachedTokens(int inputTokens, double hitRate) {
        return inputTokens - (int) Math.floor(inputTokens * hitRate);
    }
}
