package io.throughputoptimizer.core.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Requests of unequal length, one representative length per bin of a [LengthDistribution] in its order.
public record RequestMix(List<RepresentativeLength> lengths) {
    public RequestMix {
        lengths = List.copyOf(lengths);
    }

    /// Returns the bins after prefix cache hits: `queryLength = max(1, midpoint - floor(midpoint * hitRate))`
    /// and `requestRatio = weight / sum(weights)`, the sum in the bins' order.
    public static RequestMix of(LengthDistribution distribution, double prefixCacheHitRate) {
        double total = 0;
        for (LengthBin bin : distribution.bins()) {
            total += bin.weight();
        }
        List<RepresentativeLength> lengths = new ArrayList<>();
        for (LengthBin bin : distribution.bins()) {
            int queryLength = Math.max(1, PrefixCache.uncachedTokens(bin.midpoint(), prefixCacheHitRate));
            lengths.add(new RepresentativeLength(bin.midpoint(), queryLength, bin.weight() / total));
        }
        return new RequestMix(lengths);
    }

    /// Returns the mean query length: `max(1, floor(sum(requestRatio * queryLength)))`.
    public int meanQueryLength() {
        return Math.max(1, (int) Math.floor(meanNewTokens()));
    }

    /// Returns the mean new tokens per request: `sum(requestRatio * queryLength)`.
    public double meanNewTokens() {
        double mean = 0;
        for (RepresentativeLength length : lengths) {
            mean += length.requestRatio() * length.queryLength();
        }
        return mean;
    }

    /// Returns the mix in ascending order for a batch. If the batch is too small to hold one request of each
    /// length, neighbors are merged into their mean until each has a whole request, so that no length is
    /// dropped.
    public RequestMix joinedFor(long concurrency) {
        return new RequestMix(Neighbours.joined(
                lengths.stream()
                        .sorted(Comparator.comparingInt(RepresentativeLength::inputTokens))
                        .toList(),
                concurrency,
                RepresentativeLength::requestRatio,
                RequestMix::joined));
    }

    private static RepresentativeLength joined(List<RepresentativeLength> parts) {
        double ratio = 0;
        double input = 0;
        double query = 0;
        for (RepresentativeLength part : parts) {
            ratio += part.requestRatio();
            input += part.requestRatio() * part.inputTokens();
            query += part.requestRatio() * part.queryLength();
        }
        return new RepresentativeLength(
                (int) Math.rint(input / ratio), Math.max(1, (int) Math.rint(query / ratio)), ratio);
    }

    /// Divides `concurrency` requests over the lengths ([LargestRemainder], longer queries first). Lengths
    /// without a request are left out.
    public List<LengthSamples> allocate(long concurrency) {
        long[] samples = LargestRemainder.allocate(
                concurrency,
                lengths.stream().mapToDouble(RepresentativeLength::requestRatio).toArray(),
                lengths.stream().mapToLong(RepresentativeLength::queryLength).toArray());
        return IntStream.range(0, samples.length)
                .filter(i -> samples[i] > 0)
                .mapToObj(i -> new LengthSamples(lengths.get(i), null, samples[i]))
                .toList();
    }
}
