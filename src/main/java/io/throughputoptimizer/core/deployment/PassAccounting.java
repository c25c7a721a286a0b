package io.throughputoptimizer.core.deployment;

/// What a pass counts where the reference is plainly wrong for a planner.
public enum PassAccounting {
    /// As in the reference. The gated delta rule: a uniform pass without a context length computes as if nothing
    /// came before, all requests of a pass are one sequence, and states take no memory. MiniMax-M3: full
    /// attention is priced as one head, the shared expert writes integers, norms are held twice, and a
    /// vision tower is held. Sliding windows have no price.
    DOCUMENTED,
    /// As it is run. The gated delta rule: each request has a state of its own, kept in memory; a decode step
    /// goes on from it token by token. MiniMax-M3: attention of all heads, results in float16, norms once, no
    /// tower. Layers with a sliding window attend to, read and keep what is in it.
    CORRECTED
}
