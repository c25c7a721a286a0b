package io.throughputoptimizer.core.workload;

import java.util.List;
import java.util.OptionalInt;

/// Output lengths of a workload, independent of the input lengths: joint figures of a trace are not used.
///
/// @param lengths lengths in ascending order, with shares of the requests that add up to 1
/// @param longest most tokens that any request generates
public record OutputLengths(List<LengthShare> lengths, int longest) {

    public OutputLengths {
        lengths = List.copyOf(lengths);
    }

    /// Returns one output length for all requests.
    public static OutputLengths fixed(int tokens) {
        if (tokens <= 0) {
            throw new IllegalArgumentException("output length is " + tokens + ": a positive whole number is needed");
        }
        return new OutputLengths(List.of(new LengthShare(tokens, 1)), tokens);
    }

    /// Returns the output lengths of bins; a single bin is a fixed length.
    public static OutputLengths of(LengthDistribution distribution) {
        return new OutputLengths(distribution.shares(), distribution.longest());
    }

    /// Returns the length that all requests have; empty if they differ.
    public OptionalInt sole() {
        return lengths.size() == 1 ? OptionalInt.of(lengths.getFirst().tokens()) : OptionalInt.empty();
    }

    /// Returns the mean output tokens per request.
    public double mean() {
        return LengthShare.mean(lengths);
    }

    /// Returns the mean tokens that a decode instance generates per request, the mean of `max(output - 1, 1)`:
    /// the prefill instance generates the first token.
    public double meanDecoded() {
        return lengths.stream()
                .mapToDouble(length -> length.requestRatio() * Math.max(length.tokens() - 1, 1))
                .reduce(0, Double::sum);
    }
}
