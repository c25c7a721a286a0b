package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Instances on one kind of device that are had together, and in whole numbers: one that does both, or prefill
/// instances with the decode instances that they feed. Several of them serve what they serve each.
///
/// @param device name of its kind
/// @param ability the most that it serves within the limits, in what a requirement counts: requests a second or at
///     once; rounded down to 15 digits
/// @param ttftMillis at its most, with the transfer of a cache; absent where nobody knows
/// @param tpotMillis at its most; absent where nobody knows
public record ServingUnit(
        String device,
        Kind kind,
        List<Part> parts,
        double ability,
        @Nullable Double ttftMillis,
        @Nullable Double tpotMillis) {

    /// Equal instances of a unit.
    ///
    /// @param layout its label
    /// @param size devices of an instance
    /// @param count how many the unit has
    public record Part(Phase phase, String layout, int size, int count) {}

    public ServingUnit {
        parts = List.copyOf(parts);
        if (!(ability > 0 && Double.isFinite(ability)) || parts.isEmpty()) {
            throw new IllegalArgumentException("a unit of " + parts + " that serves " + ability);
        }
    }

    /// Of all instances.
    public int devices() {
        return parts.stream().mapToInt(part -> part.size * part.count).sum();
    }

    /// How many requests' worth of instances it stands for when instances are counted: that which does both, or the
    /// scarcer side of a pair.
    public int replicas() {
        return parts.stream().mapToInt(Part::count).min().orElseThrow();
    }
}
