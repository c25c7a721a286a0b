package io.throughputoptimizer.core.workload;

/// Work of an instance.
public enum Phase {
    /// Prefill only; hands the KV cache over.
    PREFILL,
    /// Decode only.
    DECODE,
    /// Prefill and decode on the same devices.
    AGGREGATION
}
