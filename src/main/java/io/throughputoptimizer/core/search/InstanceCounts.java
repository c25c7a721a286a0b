package io.throughputoptimizer.core.search;

import java.util.Optional;

/// Numbers of prefill and decode instances that run together.
public record InstanceCounts(int prefill, int decode) {

    /// Returns the counts closest to a P:D ratio: for each number of decode instances the prefill instances are
    /// `max(1, rint(decode * ratio))`, half to even; among those that fit the devices the counts with the least
    /// `|prefill - decode * ratio|` win, the smaller ones of equal counts, so that devices may stay idle. Empty
    /// if the devices hold no pair.
    ///
    /// @param ratio prefill instances per decode instance
    /// @param deviceCount available devices
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
