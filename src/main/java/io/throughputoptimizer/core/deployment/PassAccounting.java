package io.throughputoptimizer.core.deployment;

/// Counting of passes where msmodeling is wrong for planning.
public enum PassAccounting {
    /// Counting of msmodeling. The gated delta rule: a uniform pass without context length computes as if
    /// nothing came before, all requests of a pass are one sequence, and states take no memory. MiniMax-M3:
    /// full attention is priced as one head, the shared expert writes integers, norms are held twice, and a
    /// vision tower is held. Sliding windows have no price.
    DOCUMENTED,
    /// Counting of models as they run. The gated delta rule: each request has its own state, kept in memory; a
    /// decode
    /// step continues from it token by token. MiniMax-M3: attention of all heads, results in float16, norms
    /// once, no
    /// tower. Layers with a sliding window attend to, read and keep only the window.
    STEADY
}
