package io.throughputoptimizer.core.explain;

import java.util.List;

/// Minimal changes that make an infeasible search feasible.
///
/// @param changes one change, or several that are feasible only together
/// @param plan best plan after the changes
public record Relaxation(List<Change> changes, Plan plan) {
    public Relaxation {
        changes = List.copyOf(changes);
    }

    /// Returns the sum of the relative sizes of the changes ([Change#size()]).
    public double size() {
        return changes.stream().mapToDouble(Change::size).sum();
    }
}
