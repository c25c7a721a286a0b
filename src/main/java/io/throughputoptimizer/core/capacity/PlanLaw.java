package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// How the instances of one kind of deployment are counted, on one kind of device.
interface PlanLaw {
    Kind kind();

    /// The best deployment of each size of an instance, or of each pair of sizes.
    Stream<DemandPlan> best(Requirement requirement);

    /// The largest demand that so many devices serve with headroom; empty where they serve none.
    Optional<Requirement> reach(Requirement asked, long devices);

    /// Devices of the best deployment of all.
    OptionalLong devices(Requirement requirement);
}
