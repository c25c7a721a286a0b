package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.DevicePlans.Compared;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import java.util.List;

/// The answer to a [CapacityProblem], or to a [MeasuredCapacityProblem].
///
/// @param plans within the devices available, the best first: of each size of instances that do both, and of each
///     pair of sizes of prefill and decode instances, the best
/// @param beyond of each kind of device without a plan the best one of each kind of deployment, which takes more
///     devices than there are
/// @param reaches how large a demand the devices available would serve, of each kind of device without a plan
/// @param instances the best of each size, and of those by the roofline of each phase
/// @param rejections sizes that have no instance
/// @param leftOut kinds of deployment that are not compared, and why
/// @param curve devices over demand
public record CapacityResult(
        List<DemandPlan> plans,
        List<DemandPlan> beyond,
        List<DemandPlan> reaches,
        List<InstancePeak> instances,
        List<InstanceRejection> rejections,
        List<LeftOut> leftOut,
        List<CurvePoint> curve,
        Statistics statistics) {

    /// A kind of deployment that is not compared.
    public sealed interface LeftOut {}

    /// No size has such instances.
    public record Impossible(Kind kind, String reason) implements LeftOut {}

    /// Pairs of measured instances, all or some of them.
    ///
    /// @param skipped pairs of layouts; 0 where all are left out
    /// @param corrected whether measurements correct the figures of instances that do both phases, and none are
    ///     asked about; else none keeps the limits
    public record Pairs(long skipped, boolean corrected) implements LeftOut {}

    /// The instance of a size that serves most.
    public sealed interface InstancePeak permits Peak, MeasuredCapacityPlan {}

    /// Fewest devices for a demand.
    ///
    /// @param device name of its kind
    /// @param amount in the unit of the requirement
    public record CurvePoint(String device, Kind kind, double amount, long devices) {}

    CapacityResult(
            Compared found,
            List<? extends InstancePeak> instances,
            List<InstanceRejection> rejections,
            List<LeftOut> leftOut,
            Statistics statistics) {
        this(
                found.plans(),
                found.beyond(),
                found.reaches(),
                List.copyOf(instances),
                rejections,
                leftOut,
                found.curve(),
                statistics);
    }

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
