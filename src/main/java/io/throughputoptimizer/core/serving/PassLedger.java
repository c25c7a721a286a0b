package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import org.jspecify.annotations.Nullable;

/// The time shares of a phase's first pass, and the tightest memory footprint of all its passes.
final class PassLedger {
    private @Nullable BoundShares firstShares;
    private @Nullable MemoryFootprint leastFree;

    void add(ForwardEstimate pass) {
        if (firstShares == null) {
            firstShares = pass.breakdown().shares();
        }
        if (leastFree == null || pass.memory().availableBytes() < leastFree.availableBytes()) {
            leastFree = pass.memory();
        }
    }

    /// Absent when no pass was added.
    @Nullable
    PhaseCost cost() {
        return firstShares == null || leastFree == null ? null : new PhaseCost(firstShares, leastFree);
    }
}
