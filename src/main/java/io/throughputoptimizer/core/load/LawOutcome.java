package io.throughputoptimizer.core.load;

/// Steady state of one concurrency: figures, or a lack of memory.
public sealed interface LawOutcome permits LawOutcome.OutOfMemory, SteadyFigures {

    /// Result if not even one request fits into the KV cache of a rank.
    ///
    /// @param kvTokens capacity of the cache, in tokens
    /// @param requestTokens cache tokens of one request
    record OutOfMemory(double kvTokens, double requestTokens) implements LawOutcome {}
}
