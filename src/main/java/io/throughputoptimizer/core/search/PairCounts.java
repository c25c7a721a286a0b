package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.PdRatioRow.Most;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// How many instances of each side deliver most together.
///
/// `P` prefill instances of rate `p` with `D` decode instances of rate `d` ([Side#countedQps()]) serve `min(P p, D d)`
/// requests per second.
/// What each instance takes, `a` and `b`, is its devices or their price. Per what they take they serve
/// `min(p, t d) / (a + t b)` with `t = D / P`: it grows with `t` up to `p / d` and falls beyond, so that the best
/// numbers are the fraction next to `p / d` on one of its sides among those that the devices hold. A walk down the
/// Stern-Brocot tree finds both; whatever lies between two neighbours in it has at least as many instances of each side
/// as both together.
///
/// @param available devices of each kind
record PairCounts(Side prefill, Side decode, Kinds kinds, AvailableDevices available) {

    /// What one instance of each side takes.
    record Weights(double prefill, double decode) {}

    /// Numbers that serve most requests for what they take; of those, which are multiples of each other, the largest.
    /// Empty when the devices do not hold one of each.
    Optional<InstanceCounts> most(Weights weights) {
        return neighbours()
                .map(this::multiplied)
                .max(Comparator.comparingDouble((InstanceCounts counts) -> rate(reduced(counts), weights))
                        .thenComparingDouble(this::qps));
    }

    /// Numbers that serve most requests in all; of those the fewest. Empty when the devices do not hold one of each.
    Optional<InstanceCounts> most() {
        if (!fits(1, 1)) {
            return Optional.empty();
        }
        int most = last(1, available.most(), instances -> fits(instances, 1));
        int before = last(
                1,
                most,
                instances -> instances == 1
                        || instances * prefill.countedQps() <= decodeBeside(instances) * decode.countedQps());
        return Stream.of(before, Math.min(before + 1, most))
                .map(instances -> fewest(instances, decodeBeside(instances)))
                .max(Comparator.comparingDouble(this::qps).thenComparingInt(counts -> -devices(counts)));
    }

    /// Requests per second of so many instances together.
    double qps(InstanceCounts counts) {
        return Math.min(counts.prefill() * prefill.countedQps(), counts.decode() * decode.countedQps());
    }

    /// So many instances and what they serve.
    Most served(InstanceCounts counts) {
        return new Most(
                counts,
                qps(counts),
                Math.min(counts.prefill() * prefill.sustainedQps(), counts.decode() * decode.sustainedQps()),
                devices(counts));
    }

    /// Devices that so many instances leave idle, of all kinds.
    int idle(InstanceCounts counts) {
        return kinds.all(available) - devices(counts);
    }

    private int devices(InstanceCounts counts) {
        return counts.prefill() * prefill.deviceCount() + counts.decode() * decode.deviceCount();
    }

    /// Requests per second for what the instances take.
    double rate(InstanceCounts counts, Weights weights) {
        return qps(counts) / (counts.prefill() * weights.prefill + counts.decode() * weights.decode);
    }

    boolean fits(long prefillInstances, long decodeInstances) {
        return kinds.hold(prefillInstances * prefill.deviceCount(), decodeInstances * decode.deviceCount(), available);
    }

    /// The fractions next to `p / d` that the devices hold, in lowest terms.
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

    /// Numbers of instances, as `decode / prefill`.
    private record Fraction(long prefill, long decode) {
        private Fraction plus(Fraction other, long times) {
            return new Fraction(prefill + times * other.prefill, decode + times * other.decode);
        }
    }

    private boolean fits(Fraction fraction) {
        return fits(fraction.prefill, fraction.decode);
    }

    /// Whether prefill gives decode at least as much as it takes.
    private boolean isServed(Fraction fraction) {
        return fraction.decode * decode.countedQps() <= fraction.prefill * prefill.countedQps();
    }

    private InstanceCounts multiplied(InstanceCounts counts) {
        int times =
                last(1, available.most(), many -> fits((long) many * counts.prefill(), (long) many * counts.decode()));
        return new InstanceCounts(times * counts.prefill(), times * counts.decode());
    }

    /// In lowest terms, so that multiples serve exactly as much for what they take.
    private static InstanceCounts reduced(InstanceCounts counts) {
        int divisor = divisor(counts.prefill(), counts.decode());
        return new InstanceCounts(counts.prefill() / divisor, counts.decode() / divisor);
    }

    private static int divisor(int one, int other) {
        return other == 0 ? one : divisor(other, one % other);
    }

    /// Decode instances that the devices hold beside so many prefill instances.
    private int decodeBeside(int prefillInstances) {
        return last(1, available.most(), instances -> fits(prefillInstances, instances));
    }

    /// As few of each as serve as many requests.
    private InstanceCounts fewest(int prefillInstances, int decodeInstances) {
        double served = qps(new InstanceCounts(prefillInstances, decodeInstances));
        return new InstanceCounts(
                first(prefillInstances, many -> many * prefill.countedQps() >= served),
                first(decodeInstances, many -> many * decode.countedQps() >= served));
    }

    private interface Holds {
        boolean of(int number);
    }

    /// The last from `first`, which holds, up to `most` that holds, where all before it do.
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

    /// The first from 1 up to `most`, which holds, that holds, where all after it do.
    private static int first(int most, Holds holds) {
        return holds.of(1) ? 1 : 1 + last(1, most, many -> !holds.of(many));
    }
}
