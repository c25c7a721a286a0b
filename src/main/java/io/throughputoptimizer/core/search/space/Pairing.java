package io.throughputoptimizer.core.search.space;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Prefill and decode instances to combine: sizes and kinds of device to try.
///
/// @param transfer link for the KV cache; absent if a transfer takes no time
public record Pairing(
        Instances prefill, Instances decode, @Nullable KvTransferLink transfer) {

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

        /// Returns the devices of the smallest instance.
        public int least() {
            return sizes.stream().mapToInt(Integer::intValue).min().orElseThrow();
        }
    }

    /// Kinds of device of a pair.
    public record Kinds(String prefill, String decode) {

        /// Returns whether both sides use devices of the same kind.
        public boolean shareDevices() {
            return prefill.equals(decode);
        }

        /// Returns the display name of the pair.
        public String label() {
            return shareDevices() ? prefill : prefill + " + " + decode;
        }

        /// Returns the available devices of both kinds.
        public int all(AvailableDevices available) {
            return shareDevices() ? available.of(prefill) : available.of(prefill) + available.of(decode);
        }

        /// Returns whether the available devices suffice for the instances of both sides.
        public boolean hold(long prefillDevices, long decodeDevices, AvailableDevices available) {
            return shareDevices()
                    ? prefillDevices + decodeDevices <= available.of(prefill)
                    : prefillDevices <= available.of(prefill) && decodeDevices <= available.of(decode);
        }
    }

    /// Returns a pairing of one size each, on any device of the problem: the reference's P:D ratio.
    public static Pairing of(int prefillDevices, int decodeDevices) {
        return new Pairing(
                new Instances(List.of(prefillDevices), List.of()),
                new Instances(List.of(decodeDevices), List.of()),
                null);
    }

    /// Returns a copy with a KV transfer.
    public Pairing with(KvTransferLink between) {
        return new Pairing(prefill, decode, between);
    }

    /// Returns whether the reference's P:D ratio rules apply: one prefill and one decode size. All other
    /// pairings count whole instances.
    public boolean isRatio() {
        return prefill.sizes.size() == 1
                && decode.sizes.size() == 1
                && prefill.kinds.isEmpty()
                && decode.kinds.isEmpty()
                && transfer == null;
    }

    /// Returns whether neither side names kinds of device.
    public boolean namesNoKinds() {
        return prefill.kinds.isEmpty() && decode.kinds.isEmpty();
    }

    /// Returns the kinds of device to pair, in the order of the names. If neither side names its kinds, both
    /// sides of a pair have one kind.
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

    /// Returns a copy on one kind of device per side, if kinds are named; otherwise both sides have one kind.
    public Pairing on(String prefillDevice, String decodeDevice) {
        return namesNoKinds()
                ? this
                : new Pairing(
                        new Instances(prefill.sizes, List.of(prefillDevice)),
                        new Instances(decode.sizes, List.of(decodeDevice)),
                        transfer);
    }

    /// Returns the sizes of prefill instances to try on a kind of device; empty if they use other kinds.
    public List<Integer> prefillSizes(String device, AvailableDevices available) {
        return sizes(prefill, device, available);
    }

    /// Returns the sizes of decode instances to try on a kind of device; empty if they use other kinds.
    public List<Integer> decodeSizes(String device, AvailableDevices available) {
        return sizes(decode, device, available);
    }

    /// Returns the sizes to try; the reference's P:D ratio considers single instances, independent of the
    /// available devices.
    private List<Integer> sizes(Instances side, String device, AvailableDevices available) {
        return side.kinds.isEmpty() || side.kinds.contains(device)
                ? side.sizes.stream()
                        .distinct()
                        .filter(size -> isRatio() || size <= available.of(device))
                        .toList()
                : List.of();
    }

    /// Returns all sizes of both sides.
    public Stream<Integer> sizes() {
        return Stream.concat(prefill.sizes.stream(), decode.sizes.stream()).distinct();
    }

    /// Returns the devices of a prefill instance; requires a single size.
    public int prefillDevices() {
        return only(prefill);
    }

    /// Returns the devices of a decode instance; requires a single size.
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
