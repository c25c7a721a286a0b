package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityResult.CurvePoint;
import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.Breach;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The answer to a [MeasuredCapacityProblem].
///
/// @param plans within the devices available, the best first: of each size of instances that do both,
///     and of each pair of sizes, the best
/// @param beyond of each kind of device without a plan the best of each kind of deployment, which takes more devices
/// than there are
/// @param reaches how large a demand the devices available would serve, of each kind of device without a plan
/// @param instances of each size the one that serves most, as a plan for the demand
/// @param rejections sizes that have no instance
/// @param curve devices over demand
/// @param pairs whether any pair of prefill and decode instances keeps the limits
/// @param skippedPairs pairs of layouts that were not tried, because there are too many
/// @param points concurrencies at which the law was asked
public record MeasuredCapacityResult(
        MeasuredCapacityProblem problem,
        List<MeasuredPlan> plans,
        List<MeasuredPlan> beyond,
        List<MeasuredPlan> reaches,
        List<MeasuredCapacityPlan> instances,
        List<Rejection> rejections,
        List<CurvePoint> curve,
        boolean pairs,
        long skippedPairs,
        long points) {

    /// A size without an instance.
    ///
    /// @param phase what an instance does
    /// @param nearest the instance that comes nearest; absent where there is none to try
    /// @param breaches limits that it breaks
    /// @param obstacle why it cannot be run or priced; absent where it breaks limits
    public record Rejection(
            MeasuredDevice device,
            Phase phase,
            int size,
            @Nullable SiliconDeployment nearest,
            List<Breach> breaches,
            @Nullable String obstacle) {
        /// The figure of the first limit that it breaks as a multiple of that.
        double excess() {
            Breach breach = breaches.getFirst();
            return breach.allowed() > 0 ? breach.value() / breach.allowed() : Double.POSITIVE_INFINITY;
        }
    }
}
