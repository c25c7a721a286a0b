package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.fleet.MeasuredDevice;
import io.throughputoptimizer.core.steady.ServiceLimits.Breach;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The answer to a [FleetCapacityProblem].
///
/// @param plans within the devices available, the best first: of each size of instances the best
/// @param beyond of each kind of device without a plan the best, which takes more devices than there are
/// @param reaches how large a demand the devices available would serve, of each kind of device without a plan
/// @param instances of each size the one that serves most, as a plan for the demand
/// @param rejections sizes that have no instance
/// @param curve devices over demand
/// @param points concurrencies at which the law was asked
public record FleetCapacityResult(
        FleetCapacityProblem problem,
        List<FleetCapacityPlan> plans,
        List<FleetCapacityPlan> beyond,
        List<FleetCapacityPlan> reaches,
        List<FleetCapacityPlan> instances,
        List<Rejection> rejections,
        List<CurvePoint> curve,
        long points) {

    /// A size without an instance.
    ///
    /// @param layout the one that comes nearest; absent where there is none to try
    /// @param breaches limits that it breaks
    /// @param obstacle why it cannot be run or priced; absent where it breaks limits
    public record Rejection(
            MeasuredDevice device,
            int size,
            @Nullable ParallelLayout layout,
            List<Breach> breaches,
            @Nullable String obstacle) {}

    /// Fewest devices for a demand.
    public record CurvePoint(MeasuredDevice device, double amount, long devices) {}
}
