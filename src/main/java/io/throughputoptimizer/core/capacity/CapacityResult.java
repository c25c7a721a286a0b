package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.DevicePlans.Compared;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a [CapacityProblem] or a [CalibratedCapacityProblem].
///
/// @param plans plans within the devices available, best first: the best of each size of aggregated instances,
///     and of each pair of sizes of prefill and decode instances
/// @param beyond for kinds of device without a plan, the best deployment of each kind, which needs more devices
///     than available
/// @param reaches for kinds of device without a plan, the largest demand that the available devices serve
/// @param instances best instance of each size; in the analytic model of each size and phase
/// @param rejections sizes without a feasible instance
/// @param leftOut kinds of deployment that were not compared, with reasons
/// @param curve fewest devices by demand
public record CapacityResult(
        List<DemandPlan> plans,
        List<DemandPlan> beyond,
        List<DemandPlan> reaches,
        List<InstancePeak> instances,
        List<InstanceRejection> rejections,
        List<LeftOut> leftOut,
        List<CurvePoint> curve,
        Statistics statistics) {

    /// A kind of deployment that was not compared.
    public sealed interface LeftOut {}

    /// A kind without possible instances.
    public record Impossible(Kind kind, String reason) implements LeftOut {}

    /// Calibrated pairs, all or some of which were not compared.
    ///
    /// @param skipped number of pairs of layouts skipped; 0 if all are left out
    /// @param corrected true if pairs were not searched because measurements correct the aggregated figures;
    ///     false if none is feasible
    public record Pairs(long skipped, boolean corrected) implements LeftOut {}

    /// The highest-capacity instance of a size.
    public sealed interface InstancePeak permits Peak, CalibratedCapacityPlan {}

    /// The fewest devices for a demand.
    ///
    /// @param device name of the kind of device
    /// @param amount demand in the unit of the requirement
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

    /// A size without a feasible instance in a phase, with the reason of the nearest layout.
    ///
    /// @param device name of the kind of device
    /// @param size devices per instance
    /// @param nearest nearest layout; null if there is no layout to try
    /// @param limit violated limit; null if there is no layout to try
    /// @param detail message for people
    public record InstanceRejection(
            String device,
            Phase phase,
            int size,
            @Nullable Nearest nearest,
            @Nullable BindingLimit limit,
            String detail) {

        /// A layout that was tried.
        public sealed interface Nearest {}

        /// A layout of the analytic model.
        public record NearestCandidate(Candidate candidate) implements Nearest {}

        /// A layout of the calibrated model.
        public record NearestDeployment(CalibratedDeployment deployment) implements Nearest {}

        /// Returns the rejection of a size without layouts.
        static InstanceRejection impossible(String device, Phase phase, int size, String reason) {
            return new InstanceRejection(device, phase, size, null, null, reason);
        }
    }
}
