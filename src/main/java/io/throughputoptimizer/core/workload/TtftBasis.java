package io.throughputoptimizer.core.workload;

/// Which requests a limit on the TTFT is about.
public enum TtftBasis {
    /// All of a benchmark, the opening burst included.
    BENCHMARK,
    /// Those after the opening burst.
    SETTLED
}
