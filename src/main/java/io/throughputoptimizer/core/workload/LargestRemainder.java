package io.throughputoptimizer.core.workload;

import java.util.Comparator;
import java.util.stream.IntStream;

/// Divides whole requests by shares.
final class LargestRemainder {
    private LargestRemainder() {}

    /// Each part gets `floor(requests * ratio)`; what is left goes, one each, to the largest fractions, the longer part
    /// first when fractions are equal and the earlier one first when both are.
    ///
    /// Fractions are compared as they come out in doubles, since that decides ties in the reference too.
    ///
    /// @param ratios shares that add up to 1
    /// @param lengths by which of two equal fractions one goes first
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
