package io.throughputoptimizer.core.silicon;

/// What a pass computes.
public enum Phase {
    /// The next token of sequences whose context is cached.
    DECODE,
    /// Prompts.
    PREFILL
}
