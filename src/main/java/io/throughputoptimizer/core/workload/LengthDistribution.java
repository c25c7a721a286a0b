package io.throughputoptimizer.core.workload;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Shares of input lengths, in the order given. Bins may touch and may leave gaps, but not overlap.
///
/// Construction fails with an [InvalidLengthDistributionException] for the first rule broken over the bins sorted
/// by their shortest input: no bins, a negative length, an empty or inverted bin, a weight that is not positive, an
/// overlap with the bin before.
public record LengthDistribution(List<LengthBin> bins) {
    public LengthDistribution {
        bins = List.copyOf(bins);
        Optional<LengthViolation> violation = LengthViolation.first(bins);
        if (violation.isPresent()) {
            throw new InvalidLengthDistributionException(violation.get());
        }
    }

    /// Returns the representative lengths of the bins in ascending order: midpoints, at least 1, each with
    /// `weight / sum(weights)` of the requests.
    public List<LengthShare> shares() {
        List<LengthBin> sorted = bins.stream()
                .sorted(Comparator.comparingInt(LengthBin::minTokens))
                .toList();
        double total = sorted.stream().mapToDouble(LengthBin::weight).reduce(0, Double::sum);
        return sorted.stream()
                .map(bin -> new LengthShare(Math.max(1, bin.midpoint()), bin.weight() / total))
                .toList();
    }

    /// Returns the most tokens of any bin.
    public int longest() {
        return bins.stream().mapToInt(LengthBin::maxTokens).max().orElseThrow();
    }

    /// Returns an upper bound of the input tokens not found in the prefix cache: the largest `max - floor(max *
    /// hitRate)` of the bins' longest inputs `max`.
    public int maxEffectiveLength(double prefixCacheHitRate) {
        return bins.stream()
                .mapToInt(bin -> PrefixCache.uncachedTokens(bin.maxTokens(), prefixCacheHitRate))
                .max()
                .orElseThrow();
    }
}
