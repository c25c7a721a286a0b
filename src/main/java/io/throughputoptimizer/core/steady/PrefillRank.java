package io.throughputoptimizer.core.steady;

import java.util.ArrayDeque;

/// A simulated prefill rank, which computes one whole prompt at a time, in the order of arrival.
final class PrefillRank {
    private final ArrayDeque<Integer> waiting = new ArrayDeque<>();
    private double busyMillis;
    private boolean busy;

    /// Returns the number of requests that wait or are computed.
    int load() {
        return waiting.size() + (busy ? 1 : 0);
    }

    void add(int request) {
        waiting.add(request);
    }

    boolean canBegin() {
        return !busy && !waiting.isEmpty();
    }

    /// Starts and returns the first waiting request.
    int begin() {
        busy = true;
        return waiting.remove();
    }

    /// Ends the started request.
    ///
    /// @param millis time of its prefill
    void end(double millis) {
        busy = false;
        busyMillis += millis;
    }

    double busyMillis() {
        return busyMillis;
    }
}
