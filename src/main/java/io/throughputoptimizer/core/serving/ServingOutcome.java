package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.workload.Limits;
import java.util.Optional;

/// A serving point held against the memory and the limits.
public sealed interface ServingOutcome {

    /// Returns the evaluated point, also if it breaks a limit.
    ServingPoint point();

    /// An outcome within all limits.
    record Feasible(ServingPoint point) implements ServingOutcome {}

    /// A limit is broken: the first of memory, TPOT and TTFT.
    record Infeasible(ServingPoint point, LimitBreach breach) implements ServingOutcome {}

    static ServingOutcome of(ServingPoint point, Limits limits) {
        Optional<LimitBreach> breach = LimitBreach.first(point, limits);
        return breach.isPresent() ? new Infeasible(point, breach.get()) : new Feasible(point);
    }
}
