package io.throughputoptimizer.core.search.space;

import java.util.HashMap;
import java.util.Map;

/// Available devices of each kind: one number for all kinds, or one per kind.
///
/// @param most highest number of one kind
/// @param byKind number by name of the kind of device; empty for the same number of every kind
public record AvailableDevices(int most, Map<String, Integer> byKind) {
    public AvailableDevices {
        byKind = Map.copyOf(byKind);
        if (most < 1 || byKind.values().stream().anyMatch(count -> count < 1 || count > most)) {
            throw new IllegalArgumentException(
                    "device count is " + (byKind.isEmpty() ? most : byKind) + ": a positive whole number is needed");
        }
    }

    /// Returns the same number of every kind.
    public static AvailableDevices ofEach(int count) {
        return new AvailableDevices(count, Map.of());
    }

    /// Returns a separate number for each kind.
    public static AvailableDevices byKind(Map<String, Integer> counts) {
        return new AvailableDevices(
                counts.values().stream().mapToInt(Integer::intValue).max().orElse(0), counts);
    }

    /// Returns whether each kind has a separate number.
    public boolean isByKind() {
        return !byKind.isEmpty();
    }

    /// Returns the devices of a kind.
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

    /// Returns a copy with another number of a kind.
    public AvailableDevices with(String device, int count) {
        Map<String, Integer> counts = new HashMap<>(byKind);
        counts.put(device, count);
        return byKind(counts);
    }
}
