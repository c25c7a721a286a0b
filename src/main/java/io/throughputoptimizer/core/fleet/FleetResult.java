package io.throughputoptimizer.core.fleet;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.silicon.calibration.KernelUse;
import io.throughputoptimizer.core.steady.ServiceLimits.Breach;
import java.util.List;

/// The answer to a [FleetProblem].
///
/// @param devices in the order of the problem
/// @param points concurrencies at which the law was asked
public record FleetResult(FleetProblem problem, List<DeviceRanking> devices, long points) {

    /// What was found on one kind of device.
    ///
    /// @param rows best concurrency of each layout, the most tokens per second first
    /// @param unexpectedUses kernels of any layout whose price is based on neither the backend's own nor the joint
    ///     measurements
    public record DeviceRanking(
            MeasuredDevice device, List<FleetRow> rows, List<Rejection> rejections, List<KernelUse> unexpectedUses) {}

    /// A layout without a row, and why.
    public sealed interface Rejection {
        ParallelLayout layout();
    }

    /// It breaks limits at the least concurrency.
    public record BrokenLimits(ParallelLayout layout, int rankConcurrency, List<Breach> breaches)
            implements Rejection {}

    /// The model cannot be run or priced this way.
    public record Impossible(ParallelLayout layout, String reason) implements Rejection {}
}
