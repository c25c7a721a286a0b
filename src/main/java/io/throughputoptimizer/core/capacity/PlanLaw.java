package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// Rule for instance counts of one kind of deployment on one kind of device.
interface PlanLaw {
    Kind kind();

    /// Returns the best plan of each instance size or pair of sizes.
    Stream<DemandPlan> best(Requirement requirement);

    /// Returns the largest demand that the given devices serve with headroom, or empty if they serve none.
    Optional<Requirement> reach(Requirement asked, long devices);

    /// Returns the devices of the best plan.
    OptionalLong devices(Requirement requirement);
}
