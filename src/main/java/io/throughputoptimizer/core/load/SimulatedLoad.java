package io.throughputoptimizer.core.load;

/// Requests of one simulation at one rank.
///
/// @param requests number of requests, at least 1
/// @param dropped number of first requests that the latencies leave out
public record SimulatedLoad(RequestLengths lengths, int requests, int dropped, Arrivals arrivals) {
    public SimulatedLoad {
        if (requests < 1 || requests > CompletionQueue.MOST_REQUESTS || dropped < 0 || dropped >= requests) {
            throw new IllegalArgumentException(requests + " requests, " + dropped
                    + " of them dropped: at least 1 that counts, at most " + CompletionQueue.MOST_REQUESTS);
        }
    }
}
