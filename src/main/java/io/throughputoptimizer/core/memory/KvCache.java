package io.throughputoptimizer.core.memory;

/// KV cache of a rank, as its engine allocates it.
///
/// A request of `n` tokens is admitted where the engine counts enough room for its next step, and held once its prompt
/// is read. Both differ for windows and compressors only.
public interface KvCache {
    /// Returns bytes that the engine can use of a pool: whole blocks.
    double usableBytes(double poolBytes);

    /// Returns bytes of a request of so many tokens that the engine counts before it admits it.
    double admittedBytes(double tokens);

    /// Returns bytes of a request of so many tokens once its prompt is read.
    double heldBytes(double tokens);

    /// Returns the tokens that the engine prints for a pool.
    long printedTokens(double poolBytes);

    /// Returns the bytes of a pool whose printed tokens are these.
    double poolBytes(double printedTokens);

    /// Returns whether all layers keep all tokens, so that printed tokens are the capacity.
    boolean isUniform();

    /// Returns whether a server with a pool starts: its longest request is admitted.
    boolean starts(double poolBytes);

    /// Returns requests of so many tokens that a pool admits.
    default double admitted(double poolBytes, double tokens) {
        return Math.max(0, usableBytes(poolBytes)) / admittedBytes(tokens);
    }

    /// Returns requests of so many tokens that a pool holds.
    default double held(double poolBytes, double tokens) {
        return Math.max(0, usableBytes(poolBytes)) / heldBytes(tokens);
    }
}
