package io.throughputoptimizer.core.search.space;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Prefill instances and decode instances that are to share requests: what sizes and kinds of device to try.
///
/// @param transfer how caches get from one to the other; absent where that takes no time
public record Pairing(
        Instances prefill, Instances decode, @Nullable KvTransfer transfer) {

    /// Instances of one side.
    ///
    /// @param sizes devices of one instance, each to be tried
    /// @param kinds names of the kinds of device to try; empty for any of the problem
    public record Instances(List<Integer> sizes, List<String> kinds) {
        public Instances {
            sizes = List.copyOf(sizes);
            kinds = List.copyOf(kinds);
            if (sizes.isEmpty()) {
                throw new IllegalArgumentException("sizes is empty: at least one is needed");
            }
            sizes.forEach(size -> {
                if (size <= 0) {
                    throw new IllegalArgumentException(
                            "devices per instance is " + size + ": a positive whole number is needed");
                }
            });
        }

        /// Devices of the smallest instance.
        public int least() {
            return sizes.stream().mapToInt(Integer::intValue).min().orElseThrow();
        }
    }

    /// Kinds of device of a pair.
    public record Kinds(String prefill, String decode) {

        /// Whether both sides take their devices from the same ones.
        public boolean shareDevices() {
            return prefill.equals(decode);
        }

        /// What the pair is called.
        public String label() {
            return shareDevices() ? prefill : prefill + " + " + decode;
        }

        /// Devices available of both kinds.
        public int all(AvailableDevices available) {
            return shareDevices() ? available.of(prefill) : available.of(prefill) + available.of(decode);
        }

        /// Whether there are as many devices of each kind as the instances of both sides take.
        public boolean hold(long prefillDevices, long decodeDevices, AvailableDevices available) {
            return shareDevices()
                    ? prefillDevices + decodeDevices <= available.of(prefill)
                    : prefillDevices <= available.of(prefill) && decodeDevices <= available.of(decode);
        }
    }

    /// One size of each, on whatever device the problem has: the question of the reference.
    public static Pairing of(int prefillDevices, int decodeDevices) {
        return new Pairing(
                new Instances(List.of(prefillDevices), List.of()),
                new Instances(List.of(decodeDevices), List.of()),
                null);
    }

    /// The same with a transfer between both sides.
    public Pairing with(KvTransfer between) {
        return new Pairing(prefill, decode, between);
    }

    /// Whether it is the question of the reference, for a ratio of one prefill and one decode instance, which
    /// is answered by its rules. All else asks for pairs in whole numbers of instances.
    public boolean isRatio() {
        return prefill.sizes.size() == 1
                && decode.sizes.size() == 1
                && prefill.kinds.isEmpty()
                && decode.kinds.isEmpty()
                && transfer == null;
    }

    /// Whether both sides are on whatever devices the problem has.
    public boolean namesNoKinds() {
        return prefill.kinds.isEmpty() && decode.kinds.isEmpty();
    }

    /// Kinds of device to pair, in the order of the names. Where neither side names its kinds, both sides of a pair
    /// are of one kind.
    ///
    /// @param devices names of all kinds of device
    public List<Kinds> kinds(List<String> devices) {
        if (namesNoKinds()) {
            return devices.stream().map(name -> new Kinds(name, name)).toList();
        }
        List<String> decoding = decode.kinds.isEmpty() ? devices : decode.kinds;
        return (prefill.kinds.isEmpty() ? devices : prefill.kinds)
                .stream()
                        .flatMap(one -> decoding.stream().map(other -> new Kinds(one, other)))
                        .distinct()
                        .toList();
    }

    /// The same on one kind of device each, of those that are named; where none is named, both sides are of one kind.
    public Pairing on(String prefillDevice, String decodeDevice) {
        return namesNoKinds()
                ? this
                : new Pairing(
                        new Instances(prefill.sizes, List.of(prefillDevice)),
                        new Instances(decode.sizes, List.of(decodeDevice)),
                        transfer);
    }

    /// Sizes of prefill instances to try on a kind of device; none where they are of others.
    public List<Integer> prefillSizes(String device, AvailableDevices available) {
        return sizes(prefill, device, available);
    }

    /// Sizes of decode instances to try on a kind of device; none where they are of others.
    public List<Integer> decodeSizes(String device, AvailableDevices available) {
        return sizes(decode, device, available);
    }

    /// The question of the reference is about single instances, however many devices there are.
    private List<Integer> sizes(Instances side, String device, AvailableDevices available) {
        return side.kinds.isEmpty() || side.kinds.contains(device)
                ? side.sizes.stream()
                        .distinct()
                        .filter(size -> isRatio() || size <= available.of(device))
                        .toList()
                : List.of();
    }

    /// All sizes of both sides.
    public Stream<Integer> sizes() {
        return Stream.concat(prefill.sizes.stream(), decode.sizes.stream()).distinct();
    }

    /// Devices of a prefill instance where there is one size only.
    public int prefillDevices() {
        return only(prefill);
    }

    /// Devices of a decode instance where there is one size only.
    public int decodeDevices() {
        return only(decode);
    }

    private static int only(Instances instances) {
        if (instances.sizes.size() != 1) {
            throw new IllegalStateException("there are sizes " + instances.sizes);
        }
        return Objects.requireNonNull(instances.sizes.getFirst());
    }
}
