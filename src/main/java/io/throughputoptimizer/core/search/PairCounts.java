package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.PdRatioRow.Most;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// Numbers of prefill and decode instances with the highest combined throughput.
///
/// `P` prefill instances of rate `p` with `D` decode instances of rate `d` ([Side#countedQps()]) serve `min(P
/// p, D d)` requests per second. The weight of each instance, `a` and `b`, is its devices or their price. Per
/// weight they serve `min(p, t d) / (a + t b)` with `t = D / P`: it grows with `t` up to `p / d` and falls
/// beyond, so the best counts are one of the two fractions next to `p / d` among those that the devices hold. A
/// walk down the Stern-Brocot tree finds both; any fraction between two neighbors in it has at least the
/// instances of both neighbors together.
///
/// @param available devices of each kind
record PairCounts(Side prefill, Side decode, Kinds kinds, AvailableDevices available) {

    /// Weight of one instance of each side: its devices or their price.
    record Weights(double prefill, double decode) {}

    /// Returns the counts with the most requests per second per weight; the largest of equal multiples. Empty
    /// if the devices do not hold one of each.
    Optional<InstanceCounts> most(Weights weights) {
        return neighbours()
                .map(this::multiplied)
                .max(Comparator.comparingDouble((InstanceCounts counts) -> rate(reduced(counts), weights))
                        .thenComparingDouble(this::requestsPerS));
    }

    /// Returns the counts with the most requests per second; the fewest instances of equal counts. Empty if the
    /// devices do not hold one of each.
    Optional<InstanceCounts> most() {
        if (!fits(1, 1)) {
            return Optional.empty();
        }
        int most = last(1, available.most(), instances -> fits(instances, 1));
        int before = last(
                1,
                most,
                instances -> instances == 1
                        || instances * prefill.countedRequestsPerS()
                                <= decodeBeside(instances) * decode.countedRequestsPerS());
        return Stream.of(before, Math.min(before + 1, most))
                .map(instances -> fewest(instances, decodeBeside(instances)))
                .max(Comparator.comparingDouble(this::requestsPerS).thenComparingInt(counts -> -devices(counts)));
    }

    /// Returns the combined requests per second.
    double requestsPerS(InstanceCounts counts) {
        return Math.min(
                counts.prefill() * prefill.countedRequestsPerS(), counts.decode() * decode.countedRequestsPerS());
    }

    /// Returns the counts with their combined throughput.
    Most served(InstanceCounts counts) {
        return new Most(
                counts,
                requestsPerS(counts),
                Math.min(
                        counts.prefill() * prefill.sustainedRequestsPerS(),
                        counts.decode() * decode.sustainedRequestsPerS()),
                devices(counts));
    }

    /// Returns the devices, of all kinds, that the counts leave idle.
    int idle(InstanceCounts counts) {
        return kinds.all(available) - devices(counts);
    }

    private int devices(InstanceCounts counts) {
        return counts.prefill() * prefill.deviceCount() + counts.decode() * decode.deviceCount();
    }

    /// Returns the requests per second per weight.
    double rate(InstanceCounts counts, Weights weights) {
        return requestsPerS(counts) / (counts.prefill() * weights.prefill + counts.decode() * weights.decode);
    }

    boolean fits(long prefillInstances, long decodeInstances) {
        return kinds.hold(prefillInstances * prefill.deviceCount(), decodeInstances * decode.deviceCount(), available);
    }

    /// Returns the fractions next to `p / d` that the devices hold, in lowest terms.
    private Stream<InstanceCounts> neighbours() {
        if (!fits(1, 1)) {
            return Stream.empty();
        }
        Fraction low = new Fraction(1, 0);
        Fraction high = new Fraction(0, 1);
        while (fits(low.plus(high, 1))) {
            Fraction left = low;
            Fraction right = high;
            if (isServed(low.plus(high, 1))) {
                low = low.plus(right, last(1, available.most(), times -> {
                    Fraction next = left.plus(right, times);
                    return fits(next) && isServed(next);
                }));
            } else {
                high = high.plus(left, last(1, available.most(), times -> {
                    Fraction next = right.plus(left, times);
                    return fits(next) && !isServed(next);
                }));
            }
        }
        return Stream.of(low, high)
                .filter(fraction -> fraction.prefill > 0 && fraction.decode > 0)
                .map(fraction -> new InstanceCounts((int) fraction.prefill, (int) fraction.decode));
    }

    /// A ratio of decode to prefill instances.
    private record Fraction(long prefill, long decode) {
        private Fraction plus(Fraction other, long times) {
            return new Fraction(prefill + times * other.prefill, decode + times * other.decode);
        }
    }

    private boolean fits(Fraction fraction) {
        return fits(fraction.prefill, fraction.decode);
    }

    /// Returns whether prefill keeps up with decode.
    private boolean isServed(Fraction fraction) {
        return fraction.decode * decode.countedRequestsPerS() <= fraction.prefill * prefill.countedRequestsPerS();
    }

    private InstanceCounts multiplied(InstanceCounts counts) {
        int times =
                last(1, available.most(), many -> fits((long) many * counts.prefill(), (long) many * counts.decode()));
        return new InstanceCounts(times * counts.prefill(), times * counts.decode());
    }

    /// Returns the counts in lowest terms, so that multiples have exactly the same rate per weight.
    private static InstanceCounts reduced(InstanceCounts counts) {
        int divisor = divisor(counts.prefill(), counts.decode());
        return new InstanceCounts(counts.prefill() / divisor, counts.decode() / divisor);
    }

    private static int divisor(int one, int other) {
        return other == 0 ? one : divisor(other, one % other);
    }

    /// Returns the decode instances that the devices hold in addition to the prefill instances.
    private int decodeBeside(int prefillInstances) {
        return last(1, available.most(), instances -> fits(prefillInstances, instances));
    }

    /// Returns the fewest instances of each side with the same combined throughput.
    private InstanceCounts fewest(int prefillInstances, int decodeInstances) {
        double served = requestsPerS(new InstanceCounts(prefillInstances, decodeInstances));
        return new InstanceCounts(
                first(prefillInstances, many -> many * prefill.countedRequestsPerS() >= served),
                first(decodeInstances, many -> many * decode.countedRequestsPerS() >= served));
    }

    private interface Holds {
        boolean of(int number);
    }

    /// Returns the largest `n` from `first` to `most` that satisfies a monotone predicate, by binary search;
    /// `first` must satisfy it.
    private static int last(int first, int most, Holds holds) {
        int held = first;
        int broken = most + 1;
        while (broken - held > 1) {
            int middle = held + (broken - held) / 2;
            if (holds.of(middle)) {
                held = middle;
            } else {
                broken = middle;
            }
        }
        return held;
    }

    /// Returns the smallest `n` from 1 to `most` that satisfies a monotone predicate, by binary search; `most`
    /// must satisfy it.
    private static int first(int most, Holds holds) {
        return holds.of(1) ? 1 : 1 + last(1, most, many -> !holds.of(many));
    }
}
