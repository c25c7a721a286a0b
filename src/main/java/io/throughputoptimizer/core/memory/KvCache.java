package io.throughputoptimizer.core.memory;

/// KV cache of a rank, as its engine allocates it.
///
/// A request of `n` tokens is admitted if the engine counts enough memory for its next step, and held after its
/// prefill. Both differ for windows and compressors only.
public interface KvCache {
    /// Returns the usable bytes of a pool: whole blocks.
    double usableBytes(double poolBytes);

    /// Returns the bytes that the engine reserves to admit a request of `tokens` tokens.
    double admittedBytes(double tokens);

    /// Returns the bytes of a request of `tokens` tokens after its prefill.
    double heldBytes(double tokens);

    /// Returns the tokens that the engine prints for a pool.
    long printedTokens(double poolBytes);

    /// Returns the bytes of a pool by the tokens that the engine prints.
    double poolBytes(double printedTokens);

    /// Returns whether all layers keep all tokens, so that printed tokens are the capacity.
    boolean isUniform();

    /// Returns whether a server with a pool starts: its longest request is admitted.
    boolean starts(double poolBytes);

    /// Returns the number of requests of `tokens` tokens that a pool admits.
    default double admitted(double poolBytes, double tokens) {
        return Math.max(0, usableBytes(poolBytes)) / admittedBytes(tokens);
    }

    /// Returns the number of requests of `tokens` tokens that a pool holds.
    default double held(double poolBytes, double tokens) {
        return Math.max(0, usableBytes(poolBytes)) / heldBytes(tokens);
    }
}
