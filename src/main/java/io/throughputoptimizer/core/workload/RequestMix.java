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

    /// Bins seen through a prefix cache: `queryLength = max(1, midpoint - floor(midpoint * hitRate))` and
    /// `requestRatio = weight / sum(weights)`, the sum in the bins' order.
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

    /// Mean query length: `max(1, floor(sum(requestRatio * queryLength)))`.
    public int meanQueryLength() {
        double mean = 0;
        for (RepresentativeLength length : lengths) {
            mean += length.requestRatio() * length.queryLength();
        }
        return Math.max(1, (int) Math.floor(mean));
    }

    /// Divides `concurrency` requests over the lengths by the largest remainder: each length gets
    /// `floor(concurrency * requestRatio)`; what is left goes, one each, to the largest fractions, the longer
    /// query first when fractions are equal and the earlier bin first when both are. Lengths without a request
    /// are left out.
    ///
    /// Fractions are compared as they come out in doubles, since that decides ties in the reference too.
    public List<LengthSamples> allocate(long concurrency) {
        int count = lengths.size();
        long[] samples = new long[count];
        double[] fractions = new double[count];
        long rest = concurrency;
        for (int i = 0; i < count; i++) {
            double ideal = concurrency * lengths.get(i).requestRatio();
            samples[i] = (long) Math.floor(ideal);
            fractions[i] = ideal - samples[i];
            rest -= samples[i];
        }
        IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> -fractions[i])
                        .thenComparingInt(i -> -lengths.get(i).queryLength()))
                .limit(rest)
                .forEach(i -> samples[i]++);
        return IntStream.range(0, count)
                .filter(i -> samples[i] > 0)
                .mapToObj(i -> new LengthSamples(lengths.get(i), samples[i]))
                .toList();
    }
}
