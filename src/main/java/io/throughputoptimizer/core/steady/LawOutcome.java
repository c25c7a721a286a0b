package io.throughputoptimizer.core.steady;

/// What a law says about one concurrency: figures, or that not even one request fits.
public sealed interface LawOutcome permits LawOutcome.OutOfMemory, SteadyFigures {

    /// Not one request fits into the KV cache of a rank.
    ///
    /// @param kvTokens tokens that the cache holds
    /// @param requestTokens tokens that one request takes
    record OutOfMemory(double kvTokens, double requestTokens) implements LawOutcome {}
}
