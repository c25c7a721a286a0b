package io.throughputoptimizer.core.steady;

/// What a request takes of the cache of a rank, counted in tokens. Where it keeps more than its
/// tokens, such as a recurrent state, that counts as the tokens that would take as much.
@FunctionalInterface
public interface CacheUse {
    /// Its tokens and nothing else.
    CacheUse TOKENS = tokens -> tokens;

    /// Of a request of that many tokens.
    double of(double tokens);
}
