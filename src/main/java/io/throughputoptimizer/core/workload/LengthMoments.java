package io.throughputoptimizer.core.workload;

/// First two moments of lengths. They show what binning loses: prefill work grows with the length and, in
/// attention, with its square.
///
/// @param mean mean length, in tokens
/// @param second mean of the squared lengths, in tokens squared
public record LengthMoments(double mean, double second) {

    /// Returns the weighted moments of the bins' representative lengths, each `floor((min + max) / 2)`.
    public static LengthMoments of(LengthDistribution distribution) {
        double weights = 0;
        double sum = 0;
        double squares = 0;
        for (LengthBin bin : distribution.bins()) {
            weights += bin.weight();
            sum += bin.weight() * bin.midpoint();
            squares += bin.weight() * bin.midpoint() * bin.midpoint();
        }
        return new LengthMoments(sum / weights, squares / weights);
    }
}
