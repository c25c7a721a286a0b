package io.throughputoptimizer.core.workload;

import java.util.List;

/// Requests of one length.
///
/// @param tokens tokens of each request, at least 1
/// @param requestRatio share of all requests
public record LengthShare(int tokens, double requestRatio) {

    /// Returns the mean tokens of a request.
    public static double mean(List<LengthShare> lengths) {
        return lengths.stream()
                .mapToDouble(length -> length.requestRatio() * length.tokens())
                .reduce(0, Double::sum);
    }
}
