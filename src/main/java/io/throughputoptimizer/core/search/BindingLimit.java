package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.serving.LimitBreach;

/// What keeps a plan from serving more requests at once, or where the objective prefers fewer from serving fewer; or
/// where there is no plan, what stands in the way.
public enum BindingLimit {
    TTFT,
    TPOT,
    /// The time of a whole answer.
    REQUEST_LATENCY,
    MEMORY,
    /// The largest batch size of the range asked for; where fewer requests at once are better the smallest.
    BATCH_RANGE,
    /// One request more delivers no more, but would with twice the token budget, within the limits and by more than
    /// half a percent.
    TOKEN_BUDGET,
    /// More requests at once deliver no more.
    THROUGHPUT,
    /// The search itself: it tried no larger batch size, or ranks none of those it tried.
    SEARCH,
    /// The most sequences that the engine runs.
    ENGINE,
    /// More requests at once lie beyond what was measured: their band is wider than 1:10.
    MEASURED_RANGE,
    /// Where fewer requests at once are better: the objective asks for no fewer, or every rank has one.
    LEAST_CONCURRENCY,
    /// The share of a demand that it is to serve asks for no more.
    DEMAND,
    /// Requests come faster than it can answer them.
    RATE,
    /// The model cannot be laid out this way.
    MODEL;

    public static BindingLimit of(LimitBreach breach) {
        return switch (breach) {
            case LimitBreach.OutOfMemory _ -> MEMORY;
            case LimitBreach.TtftExceeded _ -> TTFT;
            case LimitBreach.TpotExceeded _ -> TPOT;
            case LimitBreach.RequestLatencyExceeded _ -> REQUEST_LATENCY;
        };
    }

    /// What keeps it from serving fewer requests at once, where that is better.
    ///
    /// @param load requests of one share of the load
    /// @param least that a search tries
    /// @param shares of the load
    /// @param floor requests that all of them must serve at once
    public static BindingLimit ofFewer(long load, long least, long shares, long floor) {
        if (load > least) {
            return THROUGHPUT;
        }
        return load == 1 || (load - 1) * shares < floor ? LEAST_CONCURRENCY : BATCH_RANGE;
    }
}
