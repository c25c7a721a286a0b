package io.throughputoptimizer.core.workload;

import java.util.Comparator;
import java.util.stream.IntStream;

/// Largest remainder method: divides whole requests by shares.
final class LargestRemainder {
    private LargestRemainder() {}

    /// Returns the requests of each part: `floor(requests * ratio)`, and one more for the largest fractions; of
    /// equal fractions the longer part goes first, then the earlier one.
    ///
    /// Fractions are compared as doubles, since their rounding decides ties in the reference too.
    ///
    /// @param ratios shares that add up to 1
    /// @param lengths lengths of the parts; the longer of two equal fractions goes first
    static long[] allocate(long requests, double[] ratios, long[] lengths) {
        int count = ratios.length;
        long[] samples = new long[count];
        double[] fractions = new double[count];
        long rest = requests;
        for (int i = 0; i < count; i++) {
            double ideal = requests * ratios[i];
            samples[i] = (long) Math.floor(ideal);
            fractions[i] = ideal - samples[i];
            rest -= samples[i];
        }
        IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> -fractions[i]).thenComparingLong(i -> -lengths[i]))
                .limit(rest)
                .forEach(i -> samples[i]++);
        return samples;
    }
}
