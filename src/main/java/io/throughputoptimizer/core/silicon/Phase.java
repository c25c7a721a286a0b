package io.throughputoptimizer.core.silicon;

/// Phase of a pass.
public enum Phase {
    /// Computes the next token of sequences with cached context.
    DECODE,
    /// Computes prompts.
    PREFILL
}
