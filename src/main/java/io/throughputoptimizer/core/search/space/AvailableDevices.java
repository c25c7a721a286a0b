package io.throughputoptimizer.core.search.space;

import java.util.HashMap;
import java.util.Map;

/// Devices available of each kind: as many of every kind, or of each kind its own number.
///
/// @param most of one kind
/// @param byKind by name of the kind of device; empty where there are as many of every kind
public record AvailableDevices(int most, Map<String, Integer> byKind) {
    public AvailableDevices {
        byKind = Map.copyOf(byKind);
        if (most < 1 || byKind.values().stream().anyMatch(count -> count < 1 || count > most)) {
            throw new IllegalArgumentException(
                    "device count is " + (byKind.isEmpty() ? most : byKind) + ": a positive whole number is needed");
        }
    }

    /// As many of every kind.
    public static AvailableDevices ofEach(int count) {
        return new AvailableDevices(count, Map.of());
    }

    /// Of each kind its own number.
    public static AvailableDevices byKind(Map<String, Integer> counts) {
        return new AvailableDevices(
                counts.values().stream().mapToInt(Integer::intValue).max().orElse(0), counts);
    }

    /// Whether each kind has its own number.
    public boolean isByKind() {
        return !byKind.isEmpty();
    }

    /// Those of a kind of device.
    public int of(String device) {
        if (byKind.isEmpty()) {
            return most;
        }
        Integer count = byKind.get(device);
        if (count == null) {
            throw new IllegalArgumentException("there are devices of " + byKind.keySet() + ", none of " + device);
        }
        return count;
    }

    /// The same with so many of a kind.
    public AvailableDevices with(String device, int count) {
        Map<String, Integer> counts = new HashMap<>(byKind);
        counts.put(device, count);
        return byKind(counts);
    }
}
