package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The answer to an [OptimizationProblem].
///
/// @param devices one result per kind of device, in the problem's order
public record OptimizationResult(OptimizationProblem problem, List<DeviceResult> devices, Statistics statistics) {

    /// What was found on one kind of device.
    ///
    /// @param deviceCount devices available; what an instance takes is said per phase
    /// @param phases one result per phase that was searched
    /// @param pdRatio how prefill and decode go together, present in mode [SearchMode#PD_RATIO] only
    /// @param decodeDevice the kind of device of decode instances where it is another one
    public record DeviceResult(
            DeviceProfile device,
            int deviceCount,
            List<PhaseResult> phases,
            @Nullable PdRatioResult pdRatio,
            @Nullable DeviceProfile decodeDevice) {
        /// On one kind of device.
        public DeviceResult(
                DeviceProfile device, int deviceCount, List<PhaseResult> phases, @Nullable PdRatioResult pdRatio) {
            this(device, deviceCount, phases, pdRatio, null);
        }

        /// What the kind of device, or the two of them, are called.
        public String label() {
            return new Kinds(device.name(), (decodeDevice == null ? device : decodeDevice).name()).label();
        }

        public DeviceResult {
            phases = List.copyOf(phases);
        }
    }

    /// How much was searched.
    ///
    /// @param candidates layouts tried
    /// @param points batch sizes evaluated over all candidates
    /// @param forwardPasses estimates asked for, cached or not; a pass that batch sizes of a layout share is asked
    ///     for once
    /// @param simulatedSteps steps that instances were simulated in, a row of equal ones counted once; where
    ///     prompts are cut
    public record Statistics(int candidates, long points, long forwardPasses, long simulatedSteps) {
        /// Without simulations.
        public Statistics(int candidates, long points, long forwardPasses) {
            this(candidates, points, forwardPasses, 0);
        }
    }

    public OptimizationResult {
        devices = List.copyOf(devices);
    }

    /// Kinds of device side by side; empty when there is only one.
    public Optional<HardwareComparison> comparison() {
        return devices.size() > 1 ? Optional.of(HardwareComparison.of(devices, problem)) : Optional.empty();
    }
}
