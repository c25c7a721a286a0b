package io.throughputoptimizer.core.explain;

/// A lever that is not tried, or not with every change, and why.
public record NotAsked(Lever lever, String reason) {

    /// @param spent what was done before it was left out
    static NotAsked unfinished(Lever lever, String spent) {
        return new NotAsked(lever, "not every change of it was searched: " + spent);
    }
}
