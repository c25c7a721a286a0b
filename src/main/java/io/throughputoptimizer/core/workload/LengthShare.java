package io.throughputoptimizer.core.workload;

import java.util.List;

/// The requests of one length.
///
/// @param tokens of each, at least 1
/// @param requestRatio share of all requests
public record LengthShare(int tokens, double requestRatio) {

    /// Tokens of a request in the mean.
    public static double mean(List<LengthShare> lengths) {
        return lengths.stream()
                .mapToDouble(length -> length.requestRatio() * length.tokens())
                .reduce(0, Double::sum);
    }
}
