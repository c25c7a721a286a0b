package io.throughputoptimizer.core.search;

/// What is searched for.
public enum SearchMode {
    /// One kind of instance that does prefill and decode.
    AGGREGATION,
    /// Prefill instances, decode instances, or both, each searched by itself.
    DISAGGREGATION,
    /// How many prefill instances feed how many decode instances; both kinds are searched, whichever limits there are.
    PD_RATIO
}
