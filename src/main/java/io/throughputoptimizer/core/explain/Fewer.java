package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.search.BindingLimit;

/// What keeps a candidate from serving fewer requests at once, and so faster.
record Fewer(BindingLimit limit, String words) {

    /// @param load requests of one share of the load
    /// @param least that a search tries
    /// @param shares of the load
    /// @param floor requests that all of them must serve at once
    /// @param pairs whether they are all requests of measured pairs, not those of a rank
    static Fewer of(long load, long least, int shares, int floor, boolean pairs) {
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
        return new Fewer(limit, words);
    }

    /// Batches are those of a rank.
    static String ofRange(long load, boolean pairs) {
        return pairs ? "concurrency " + load + " of all decode ranks" : Long.toString(load);
    }
}
