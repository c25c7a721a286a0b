package io.throughputoptimizer.core.steady;

/// The mean of the requests that a law counts with.
///
/// @param inputTokens of a prompt; may be a fraction
/// @param outputTokens may be a fraction
/// @param prefixHitRate share of a prompt that lies in the cache already, from 0 to less than 1
public record MeanRequest(double inputTokens, double outputTokens, double prefixHitRate) {
    /// While a request decodes, the cache holds its prompt and this share of its output in the mean: half of it
    /// would be too little, because an engine keeps room for what is still to come.
    private static final double CACHED_OUTPUT = 0.75;

    public MeanRequest {
        if (!(inputTokens > 0 && outputTokens > 0 && prefixHitRate >= 0 && prefixHitRate < 1)) {
            throw new IllegalArgumentException("a mean request of " + inputTokens + " and " + outputTokens + " tokens, "
                    + prefixHitRate + " of the prompt cached");
        }
    }

    /// Nothing of its prompt is cached.
    public MeanRequest(double inputTokens, double outputTokens) {
        this(inputTokens, outputTokens, 0);
    }

    /// Tokens of cache that one request takes: `isl + 0.75 osl`.
    public double cachedTokens() {
        return inputTokens + CACHED_OUTPUT * outputTokens;
    }

    /// Tokens of a request half way through its output: `isl + osl/2`.
    public double halfwayTokens() {
        return inputTokens + outputTokens / 2;
    }

    /// Prompt tokens to compute: `(1 - h) isl`.
    public double newTokens() {
        return (1 - prefixHitRate) * inputTokens;
    }

    /// Causal pairs to compute: `(1 - h h) isl isl / 2`.
    public double pairs() {
        return (1 - prefixHitRate * prefixHitRate) * inputTokens * inputTokens / 2;
    }
}
