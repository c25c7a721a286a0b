package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.search.BindingLimit;

/// The limit that prevents a candidate from serving fewer concurrent requests at lower latency.
record LowerConcurrencyBlocker(BindingLimit limit, String words) {

    /// @param load requests per share of the load
    /// @param least smallest load of the search
    /// @param shares number of shares of the load
    /// @param floor minimum concurrency over all shares
    /// @param pairs true if loads count all requests of calibrated pairs rather than those of a rank
    static LowerConcurrencyBlocker of(long load, long least, int shares, int floor, boolean pairs) {
        BindingLimit limit = BindingLimit.ofFewer(load, least, shares, floor);
        String one = (pairs ? "concurrency " : "batch size ") + (load - 1);
        String words;
        if (limit == BindingLimit.THROUGHPUT) {
            words = one + " generates no faster for one user";
        } else if (limit == BindingLimit.BATCH_RANGE) {
            words = "batch_range starts at " + ofRange(load, pairs);
        } else if (load == 1) {
            words = pairs ? "there is one request" : "every rank has one request";
        } else {
            words = one + " serves " + (load - 1) * shares + " requests at once: at least " + floor + " are asked for";
        }
        return new LowerConcurrencyBlocker(limit, words);
    }

    /// Describes a load: the concurrency of all decode ranks for pairs, else the batch size of a rank.
    static String ofRange(long load, boolean pairs) {
        return pairs ? "concurrency " + load + " of all decode ranks" : Long.toString(load);
    }
}
