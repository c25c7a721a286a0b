package io.throughputoptimizer.core.workload;

/// Requests that a TTFT target covers.
public enum TtftBasis {
    /// All requests of a benchmark, the opening burst included.
    BENCHMARK,
    /// Requests after the opening burst.
    SETTLED
}
