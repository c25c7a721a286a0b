package io.throughputoptimizer.core.steady;

import java.util.Comparator;
import java.util.PriorityQueue;

/// When clients that have been answered send again, as far as they have not.
final class Resendings {
    private final PriorityQueue<Sending> coming = new PriorityQueue<>(Comparator.comparingDouble(Sending::millis));

    /// @param client who sends; 0 where nothing depends on it
    record Sending(double millis, int client) {}

    void add(double millis, int client) {
        coming.add(new Sending(millis, client));
    }

    /// When the next one comes; infinity where none does.
    double next() {
        Sending first = coming.peek();
        return first == null ? Double.POSITIVE_INFINITY : first.millis;
    }

    Sending remove() {
        return coming.remove();
    }
}
