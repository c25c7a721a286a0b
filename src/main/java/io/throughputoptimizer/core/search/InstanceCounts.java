package io.throughputoptimizer.core.search;

import java.util.Optional;

/// How many instances of each kind run together.
public record InstanceCounts(int prefill, int decode) {

    /// Counts that come closest to a P/D ratio (P/D ratio, instance counts): for each number of decode instances the
    /// prefill instances are `max(1, rint(decode * ratio))`, half to even; of those that the devices hold the pair
    /// with the least `|prefill - decode * ratio|` wins, the smaller one of equal pairs, so that devices may stay
    /// idle. Empty when the devices hold no pair.
    ///
    /// @param deviceCount devices available
    /// @param prefillDevices devices of one prefill instance
    /// @param decodeDevices devices of one decode instance
    static Optional<InstanceCounts> of(double ratio, int deviceCount, int prefillDevices, int decodeDevices) {
        Optional<InstanceCounts> best = Optional.empty();
        double leastDifference = Double.POSITIVE_INFINITY;
        for (int decode = 1; decode <= deviceCount / decodeDevices; decode++) {
            double ideal = decode * ratio;
            double prefill = Math.max(1, Math.rint(ideal));
            double difference = Math.abs(prefill - ideal);
            boolean fits = prefill * prefillDevices + (double) decode * decodeDevices <= deviceCount;
            if (fits && difference < leastDifference) {
                best = Optional.of(new InstanceCounts((int) prefill, decode));
                leastDifference = difference;
            }
        }
        return best;
    }
}
