package io.throughputoptimizer.core.workload;

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

    /// Upper bound of the input tokens not found in the prefix cache: `max - floor(max * hitRate)` of the bin's
    /// longest input `max`, for the bin where that is largest.
    public int maxEffectiveLength(double prefixCacheHitRate) {
        return bins.stream()
                .mapToInt(bin -> PrefixCache.uncachedTokens(bin.maxTokens(), prefixCacheHitRate))
                .max()
                .orElseThrow();
    }
}
