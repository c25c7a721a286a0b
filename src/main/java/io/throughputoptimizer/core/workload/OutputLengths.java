package io.throughputoptimizer.core.workload;

import java.util.List;
import java.util.OptionalInt;

/// Output lengths of a workload. Which input a request has says nothing about its output: joint figures of a trace are
/// not looked at.
///
/// @param lengths by rising length, with shares of the requests that add up to 1
/// @param longest most tokens that any request generates
public record OutputLengths(List<LengthShare> lengths, int longest) {

    public OutputLengths {
        lengths = List.copyOf(lengths);
    }

    /// Every request generates as many tokens.
    public static OutputLengths fixed(int tokens) {
        if (tokens <= 0) {
            throw new IllegalArgumentException("output length is " + tokens + ": a positive whole number is needed");
        }
        return new OutputLengths(List.of(new LengthShare(tokens, 1)), tokens);
    }

    /// Of bins; a single one is a fixed length.
    public static OutputLengths of(LengthDistribution distribution) {
        return new OutputLengths(distribution.shares(), distribution.longest());
    }

    /// The length that all requests have; empty when they differ.
    public OptionalInt sole() {
        return lengths.size() == 1 ? OptionalInt.of(lengths.getFirst().tokens()) : OptionalInt.empty();
    }

    /// Tokens generated per request in the mean.
    public double mean() {
        return LengthShare.mean(lengths);
    }

    /// Tokens that a decode instance generates per request in the mean, as a prefill instance has made the first:
    /// the mean of `max(output - 1, 1)`.
    public double meanDecoded() {
        return lengths.stream()
                .mapToDouble(length -> length.requestRatio() * Math.max(length.tokens() - 1, 1))
                .reduce(0, Double::sum);
    }
}
