package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import java.util.List;

/// The answer to a [CapacityProblem].
///
/// @param plans within the devices available, the best first: of each size of instances that do both, and of each
///     pair of sizes of prefill and decode instances, the best
/// @param beyond of each kind of device without a plan the best one of each kind of deployment, which takes more
///     devices than there are
/// @param reaches how large a demand the devices available would serve, of each kind of device without a plan
/// @param instances of each size and phase the one that serves most
/// @param rejections sizes that have no instance
/// @param leftOut kinds of deployment that are not compared, and why
/// @param curve devices over demand
public record CapacityResult(
        CapacityProblem problem,
        List<CapacityPlan> plans,
        List<CapacityPlan> beyond,
        List<CapacityPlan> reaches,
        List<Peak> instances,
        List<InstanceRejection> rejections,
        List<LeftOut> leftOut,
        List<CurvePoint> curve,
        Statistics statistics) {

    /// A kind of deployment that is not compared.
    public record LeftOut(Kind kind, String reason) {}

    /// Fewest devices for a demand.
    ///
    /// @param device name of its kind
    /// @param amount in the unit of the requirement
    public record CurvePoint(String device, Kind kind, double amount, long devices) {}

    public CapacityResult {
        plans = List.copyOf(plans);
        beyond = List.copyOf(beyond);
        reaches = List.copyOf(reaches);
        instances = List.copyOf(instances);
        rejections = List.copyOf(rejections);
        leftOut = List.copyOf(leftOut);
        curve = List.copyOf(curve);
    }
}
