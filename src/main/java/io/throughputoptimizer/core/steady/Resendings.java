package io.throughputoptimizer.core.steady;

import java.util.Comparator;
import java.util.PriorityQueue;

/// Queue of the next requests of clients that have received a response.
final class Resendings {
    private final PriorityQueue<Sending> coming = new PriorityQueue<>(Comparator.comparingDouble(Sending::millis));

    /// Scheduled request.
    ///
    /// @param client sending client; 0 if clients do not matter
    record Sending(double millis, int client) {}

    void add(double millis, int client) {
        coming.add(new Sending(millis, client));
    }

    /// Returns the time of the next request; infinity if there is none.
    double next() {
        Sending first = coming.peek();
        return first == null ? Double.POSITIVE_INFINITY : first.millis;
    }

    Sending remove() {
        return coming.remove();
    }
}
