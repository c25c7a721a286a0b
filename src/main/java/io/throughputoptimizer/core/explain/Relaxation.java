package io.throughputoptimizer.core.explain;

import java.util.List;

/// Changes that make a question without an answer have one, each as small as it can be.
///
/// @param changes one, or several that suffice together only
/// @param plan the best then
public record Relaxation(List<Change> changes, Plan plan) {
    public Relaxation {
        changes = List.copyOf(changes);
    }

    /// How far the changes move together, each of its own amount ([Change#size()]).
    public double size() {
        return changes.stream().mapToDouble(Change::size).sum();
    }
}
