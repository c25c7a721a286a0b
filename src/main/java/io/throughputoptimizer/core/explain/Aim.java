package io.throughputoptimizer.core.explain;

/// What has one best answer on one kind of device.
public enum Aim {
    AGGREGATION,
    PREFILL,
    DECODE,
    /// Prefill instances that feed decode instances.
    PD_RATIO
}
