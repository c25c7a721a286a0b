package io.throughputoptimizer.core.steady;

import java.util.ArrayDeque;

/// A rank of a simulation that computes prompts alone: one at a time and whole, in the order in which they come.
final class PrefillRank {
    private final ArrayDeque<Integer> waiting = new ArrayDeque<>();
    private double busyMillis;
    private boolean busy;

    /// Requests that wait or are computed.
    int load() {
        return waiting.size() + (busy ? 1 : 0);
    }

    void add(int request) {
        waiting.add(request);
    }

    boolean canBegin() {
        return !busy && !waiting.isEmpty();
    }

    /// The first that waits begins.
    int begin() {
        busy = true;
        return waiting.remove();
    }

    /// The one that began has been computed.
    ///
    /// @param millis that it took
    void end(double millis) {
        busy = false;
        busyMillis += millis;
    }

    double busyMillis() {
        return busyMillis;
    }
}
