package io.throughputoptimizer.core.workload;

/// What a search loses when it sees bins instead of lengths shows in these: the work of a prompt grows with its length
/// and, in attention, with its square.
///
/// @param mean of the lengths, in tokens
/// @param second mean of their squares, in tokens squared
public record LengthMoments(double mean, double second) {

    /// Of the lengths that stand for the bins, each `floor((min + max) / 2)`, by weight.
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
