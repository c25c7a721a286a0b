package io.throughputoptimizer.core.workload;

/// Requests of similar input length. [LengthDistribution] validates bins.
///
/// @param minTokens shortest input, inclusive
/// @param maxTokens longest input
/// @param weight share of the requests relative to the other bins; weights need not sum to 1
public record LengthBin(int minTokens, int maxTokens, double weight) {

    /// Returns the representative input length of the bin: `floor((min + max) / 2)`.
    public int midpoint() {
        return (int) (((long) minTokens + maxTokens) / 2);
    }
}
