package io.throughputoptimizer.core.load;

/// Cache use of a request, in tokens. Other entries, such as a recurrent state, count as the tokens of the same
/// size.
@FunctionalInterface
public interface CacheUse {
    /// Cache use of tokens only.
    CacheUse TOKENS = tokens -> tokens;

    /// Returns the cache use of a request of `tokens` tokens.
    double of(double tokens);
}
