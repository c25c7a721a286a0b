package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.search.InstanceCounts;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Devices available, and those of one instance of each kind.
///
/// @param devices for both kinds of instance, or where each has its own for those of prefill
/// @param devicesOfDecode the same unless each has its own
record Stock(int devices, int devicesOfDecode, int prefillDevices, int decodeDevices, Numbers numbers) {
    /// Counts up to which those in lowest terms are counted: of one side at most the square root of them.
    private static final long COUNTED = 10_000;

    private static final int[] MOEBIUS = IntStream.rangeClosed(0, (int) Math.sqrt(COUNTED))
            .map(Stock::moebius)
            .toArray();

    /// Tried where they leave no room for one more.
    Stock(int devices, int prefillDevices, int decodeDevices) {
        this(devices, devices, prefillDevices, decodeDevices, Numbers.FULL);
    }

    /// Numbers of instances to try; none if the devices do not hold an instance of each kind.
    List<InstanceCounts> counts() {
        return switch (numbers) {
            case FULL -> full();
            case ALL, APART -> all().toList();
        };
    }

    /// An upper bound of how many [#counts] there are, without making them.
    long mostCounts() {
        long most = (long) (devices / prefillDevices) * (devicesOfDecode / decodeDevices);
        return numbers == Numbers.FULL ? countFull() : most > COUNTED ? most : countAll();
    }

    /// With more prefill instances those of decode become fewer one by one, unless one of prefill takes as many
    /// devices or more.
    private long countFull() {
        int most = mostPrefill();
        return prefillDevices >= decodeDevices || most == 0 ? most : decodeInstances(1) - decodeInstances(most + 1);
    }

    /// Of counts that are multiples of each other one is tried: there are as many as counts in lowest terms that
    /// the devices hold. By inclusion and exclusion: those with a divisor `k` in both are as many as
    /// a `k`-th of the devices holds.
    private long countAll() {
        long all = 0;
        int last = Math.min(devices / prefillDevices, devicesOfDecode / decodeDevices);
        for (int divisor = 1; divisor <= last; divisor++) {
            int sign = MOEBIUS[divisor];
            all += sign == 0 ? 0 : sign * held(devices / divisor, devicesOfDecode / divisor);
        }
        return all;
    }

    /// Counts that so many devices hold.
    private long held(int ofPrefill, int ofDecode) {
        if (numbers == Numbers.APART) {
            return (long) (ofPrefill / prefillDevices) * (ofDecode / decodeDevices);
        }
        int larger = Math.max(prefillDevices, decodeDevices);
        int smaller = Math.min(prefillDevices, decodeDevices);
        long held = 0;
        for (long left = (long) ofPrefill - larger; left >= smaller; left -= larger) {
            held += left / smaller;
        }
        return held;
    }

    /// 0 of a number with a square in it, else 1 or -1 as it has an even or an odd number of prime factors.
    private static int moebius(int number) {
        int sign = 1;
        int left = number;
        for (int factor = 2; factor * factor <= left; factor++) {
            if (left % factor == 0) {
                left /= factor;
                if (left % factor == 0) {
                    return 0;
                }
                sign = -sign;
            }
        }
        return left > 1 ? -sign : sign;
    }

    private Stream<InstanceCounts> all() {
        return IntStream.rangeClosed(1, devices / prefillDevices)
                .boxed()
                .flatMap(prefill -> IntStream.rangeClosed(1, devicesOfDecode / decodeDevices)
                        .mapToObj(decode -> new InstanceCounts(prefill, decode))
                        .filter(counts -> holds(counts, 0) && !holds(counts, 1)));
    }

    /// @param more times the counts in lowest terms
    private boolean holds(InstanceCounts counts, int more) {
        int divisor = divisor(counts.prefill(), counts.decode());
        int prefill = (counts.prefill() + more * counts.prefill() / divisor) * prefillDevices;
        int decode = (counts.decode() + more * counts.decode() / divisor) * decodeDevices;
        return numbers == Numbers.APART ? prefill <= devices && decode <= devicesOfDecode : prefill + decode <= devices;
    }

    private static int divisor(int one, int other) {
        return other == 0 ? one : divisor(other, one % other);
    }

    /// Numbers of instances that no other counts exceed in one kind without giving up the other, the fewest
    /// prefill instances first; none if the devices do not hold an instance of each kind.
    private List<InstanceCounts> full() {
        return IntStream.rangeClosed(1, mostPrefill())
                .filter(prefill -> decodeInstances(prefill + 1) < decodeInstances(prefill))
                .mapToObj(prefill -> new InstanceCounts(prefill, decodeInstances(prefill)))
                .toList();
    }

    private int mostPrefill() {
        return Math.max(0, (devices - decodeDevices) / prefillDevices);
    }

    private int decodeInstances(int prefillInstances) {
        return Math.floorDiv(devices - prefillInstances * prefillDevices, decodeDevices);
    }

    /// Which numbers of instances are tried.
    enum Numbers {
        /// Those that leave no room for one more.
        FULL,
        /// All, of multiples of each other the largest: it does all that the smaller do, in proportion.
        ALL,
        /// The same where each kind of instance has as many devices of its own.
        APART
    }
}
