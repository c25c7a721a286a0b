package io.throughputoptimizer.core.workload;

/// What an instance does with its requests.
public enum Phase {
    /// Computes prompts only, and hands them on.
    PREFILL,
    /// Generates tokens only.
    DECODE,
    /// Both, on the same devices.
    AGGREGATION
}
