package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import java.util.List;

/// The answer to an [OptimizationProblem].
///
/// @param devices one result per kind of device, in the problem's order
public record OptimizationResult(OptimizationProblem problem, List<DeviceResult> devices, Statistics statistics) {

    /// What was found on one kind of device.
    ///
    /// @param deviceCount devices of one searched instance
    public record DeviceResult(DeviceProfile device, int deviceCount, List<PhaseResult> phases) {
        public DeviceResult {
            phases = List.copyOf(phases);
        }
    }

    /// How much was searched.
    ///
    /// @param candidates layouts tried
    /// @param points batch sizes evaluated over all candidates
    /// @param forwardPasses estimates asked for, cached or not
    public record Statistics(int candidates, long points, long forwardPasses) {}

    public OptimizationResult {
        devices = List.copyOf(devices);
    }
}
