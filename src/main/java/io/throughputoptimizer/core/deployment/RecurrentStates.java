package io.throughputoptimizer.core.deployment;

/// What is made of the states of layers with the gated delta rule.
public enum RecurrentStates {
    /// As in the reference: a uniform pass without a context length computes as if nothing came before, all
    /// requests of
    /// a
    /// pass are one sequence, and states take no memory.
    OVERLOOKED,
    /// Each request has a state of its own, kept in memory; a decode step goes on from it token by token.
    PER_REQUEST
}
