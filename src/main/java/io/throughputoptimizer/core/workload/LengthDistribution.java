package io.throughputoptimizer.core.workload;

import java.util.List;

/// Shares of input lengths, in the order given.
public record LengthDistribution(List<LengthBin> bins) {
    public LengthDistribution {
        bins = List.copyOf(bins);
    }
}
