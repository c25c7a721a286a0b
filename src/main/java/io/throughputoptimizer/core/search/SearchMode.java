package io.throughputoptimizer.core.search;

/// Kind of deployment to search.
public enum SearchMode {
    /// Aggregated: one kind of instance runs prefill and decode.
    AGGREGATION,
    /// Disaggregated phases: prefill instances, decode instances, or both, each searched separately.
    DISAGGREGATION,
    /// P:D ratio: numbers of prefill and decode instances; both phases are searched, whatever the targets.
    PD_RATIO
}
