package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.search.InstanceCounts;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Available devices, and the devices of one instance of each phase.
///
/// @param devices devices for both phases, or for prefill if the phases have separate devices
/// @param devicesOfDecode devices for decode; equal to `devices` if the phases share them
record DeviceInventory(int devices, int devicesOfDecode, int prefillDevices, int decodeDevices, Numbers numbers) {
    /// Maximum number of counts up to which counts in lowest terms are counted exactly; one side is then at
    /// most its square root.
    private static final long COUNTED = 10_000;

    private static final int[] MOEBIUS = IntStream.rangeClosed(0, (int) Math.sqrt(COUNTED))
            .map(DeviceInventory::moebius)
            .toArray();

    /// Creates a stock whose instance counts leave no space for another instance.
    DeviceInventory(int devices, int prefillDevices, int decodeDevices) {
        this(devices, devices, prefillDevices, decodeDevices, Numbers.FULL);
    }

    /// Returns the instance counts to try; empty if the devices do not hold an instance of each phase.
    List<InstanceCounts> counts() {
        return switch (numbers) {
            case FULL -> full();
            case ALL, APART -> all().toList();
        };
    }

    /// Returns an upper bound of the number of [#counts] without creating them.
    long mostCounts() {
        long most = (long) (devices / prefillDevices) * (devicesOfDecode / decodeDevices);
        return numbers == Numbers.FULL ? countFull() : most > COUNTED ? most : countAll();
    }

    /// Returns the number of full counts. With more prefill instances the decode instances drop one by one,
    /// unless a prefill instance takes at least as many devices.
    private long countFull() {
        int most = mostPrefill();
        return prefillDevices >= decodeDevices || most == 0 ? most : decodeInstances(1) - decodeInstances(most + 1);
    }

    /// Returns the number of counts in lowest terms that the devices hold: of multiples only one is tried.
    /// Inclusion and exclusion: the counts with a common divisor `k` equal those that a `k`-th of the devices
    /// holds.
    private long countAll() {
        long all = 0;
        int last = Math.min(devices / prefillDevices, devicesOfDecode / decodeDevices);
        for (int divisor = 1; divisor <= last; divisor++) {
            int sign = MOEBIUS[divisor];
            all += sign == 0 ? 0 : sign * held(devices / divisor, devicesOfDecode / divisor);
        }
        return all;
    }

    /// Returns the number of counts that the given devices hold.
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

    /// Returns the Möbius function: 0 for a number with a square factor, else 1 or -1 for an even or odd number
    /// of prime factors.
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

    /// Returns whether the devices hold the counts plus multiples of them in lowest terms.
    ///
    /// @param more number of times to add the counts in lowest terms
    private boolean holds(InstanceCounts counts, int more) {
        int divisor = divisor(counts.prefill(), counts.decode());
        int prefill = (counts.prefill() + more * counts.prefill() / divisor) * prefillDevices;
        int decode = (counts.decode() + more * counts.decode() / divisor) * decodeDevices;
        return numbers == Numbers.APART ? prefill <= devices && decode <= devicesOfDecode : prefill + decode <= devices;
    }

    private static int divisor(int one, int other) {
        return other == 0 ? one : divisor(other, one % other);
    }

    /// Returns the maximal counts, where no instance of either phase can be added, the fewest prefill instances
    /// first; empty if the devices do not hold an instance of each phase.
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

    /// Selection of instance counts to try.
    enum Numbers {
        /// Counts that leave no space for another instance.
        FULL,
        /// All counts, of multiples only the largest: it serves proportionally more.
        ALL,
        /// All counts, with separate devices for each phase.
        APART
    }
}
