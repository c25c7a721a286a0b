package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A group of instances on one kind of device that is deployed as a whole: an aggregated instance, or prefill
/// instances with their decode instances. Capacities of several units add up.
///
/// @param device name of the kind of device
/// @param ability capacity within the limits in the unit of a requirement, requests per second or concurrency;
///     rounded down to 15 digits
/// @param ttftMillis TTFT at capacity, KV transfer included; null if unknown
/// @param tpotMillis TPOT at capacity; null if unknown
public record ServingUnit(
        String device,
        Kind kind,
        List<Part> parts,
        double ability,
        @Nullable Double ttftMillis,
        @Nullable Double tpotMillis) {

    /// Identical instances of a unit.
    ///
    /// @param layout label of the layout
    /// @param size devices per instance
    /// @param count number of instances in the unit
    public record Part(Phase phase, String layout, int size, int count) {}

    public ServingUnit {
        parts = List.copyOf(parts);
        if (!(ability > 0 && Double.isFinite(ability)) || parts.isEmpty()) {
            throw new IllegalArgumentException("a unit of " + parts + " that serves " + ability);
        }
    }

    /// Returns the devices of all instances.
    public int devices() {
        return parts.stream().mapToInt(part -> part.size * part.count).sum();
    }

    /// Returns the number of replicas it counts for: its aggregated instances, or the instances of the less
    /// numerous phase.
    public int replicas() {
        return parts.stream().mapToInt(Part::count).min().orElseThrow();
    }
}
