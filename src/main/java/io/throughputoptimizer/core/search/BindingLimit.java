package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.serving.LimitBreach;

/// Limiting constraint of a plan: keeps it from a higher concurrency or, if the objective prefers fewer
/// requests, from a lower one. For a rejected candidate, the constraint that it violates.
public enum BindingLimit {
    TTFT,
    TPOT,
    /// The end-to-end latency target.
    E2E_LATENCY,
    MEMORY,
    /// The largest batch size of the requested range; the smallest if the objective prefers fewer requests.
    BATCH_RANGE,
    /// One request more does not raise throughput, but it would with twice the token budget, within the targets
    /// and by more than half a percent.
    MAX_BATCHED_TOKENS,
    /// A higher concurrency does not raise throughput.
    THROUGHPUT,
    /// The search: it tried no larger batch size, or ranks none that it tried.
    SEARCH,
    /// The maximum number of sequences that the engine runs.
    ENGINE,
    /// A higher concurrency is outside the measured range: its prediction interval is wider than 1:10.
    MEASURED_RANGE,
    /// For objectives that prefer fewer requests: the required minimum concurrency, or one request per rank.
    LEAST_CONCURRENCY,
    /// The plan's share of the demand needs no higher concurrency.
    DEMAND,
    /// Requests arrive faster than the deployment can serve them.
    RATE,
    /// The model does not support this layout.
    MODEL;

    public static BindingLimit of(LimitBreach breach) {
        return switch (breach) {
            case LimitBreach.OutOfMemory _ -> MEMORY;
            case LimitBreach.TtftExceeded _ -> TTFT;
            case LimitBreach.TpotExceeded _ -> TPOT;
            case LimitBreach.RequestLatencyExceeded _ -> E2E_LATENCY;
        };
    }

    /// Returns the limiting constraint of a plan whose objective prefers fewer requests.
    ///
    /// @param load requests of one share of the load
    /// @param least smallest batch size that the search tries
    /// @param shares number of shares of the load
    /// @param floor minimum concurrency over all shares
    public static BindingLimit ofFewer(long load, long least, long shares, long floor) {
        if (load > least) {
            return THROUGHPUT;
        }
        return load == 1 || (load - 1) * shares < floor ? LEAST_CONCURRENCY : BATCH_RANGE;
    }
}
