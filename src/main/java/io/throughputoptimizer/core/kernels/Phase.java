package io.throughputoptimizer.core.kernels;

/// Phase of a pass.
public enum Phase {
    /// Computes the next token of sequences with cached context.
    DECODE,
    /// Computes prompts.
    PREFILL
}
