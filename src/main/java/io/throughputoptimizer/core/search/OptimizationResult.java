package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Result of an [OptimizationProblem].
///
/// @param devices one result per kind of device, in the problem's order
public record OptimizationResult(OptimizationProblem problem, List<DeviceResult> devices, Statistics statistics) {

    /// Result on one kind of device.
    ///
    /// @param deviceCount available devices; each phase has the devices of an instance
    /// @param phases one result per phase that was searched
    /// @param pdRatio combinations of prefill and decode; present in mode [ProblemOutline.SearchMode#PD_RATIO] only
    /// @param decodeDevice kind of device of decode instances if it differs
    public record DeviceResult(
            DeviceProfile device,
            int deviceCount,
            List<PhaseResult> phases,
            @Nullable PdRatioResult pdRatio,
            @Nullable DeviceProfile decodeDevice) {
        /// Returns the name of the kind of device, or of both kinds.
        public String label() {
            return new Kinds(device.name(), (decodeDevice == null ? device : decodeDevice).name()).label();
        }

        public DeviceResult {
            phases = List.copyOf(phases);
        }
    }

    /// Effort of the search.
    ///
    /// @param candidates layouts tried
    /// @param points batch sizes evaluated over all candidates
    /// @param forwardPasses requested pass estimates, cached or not; a pass that batch sizes of a layout share
    ///     is requested once
    /// @param simulatedSteps steps simulated for chunked prefill; a run of equal steps counts once
    public record Statistics(int candidates, long points, long forwardPasses, long simulatedSteps) {}

    public OptimizationResult {
        devices = List.copyOf(devices);
    }

    /// Returns the comparison of the kinds of device; empty if there is only one.
    public Optional<HardwareComparison> comparison() {
        return devices.size() > 1 ? Optional.of(HardwareComparison.of(devices, problem)) : Optional.empty();
    }

    /// Combinations of prefill and decode instances on one kind of device.
    ///
    /// @param rows best combination per pair of candidates, the best first. By the reference's rules they are
    ///     ranked by balanced requests per second, and rows that are equal in them to 2 decimals are shown once;
    ///     otherwise each row has its best instance counts
    /// @param omittedRows number of worse rows that were dropped
    public record PdRatioResult(List<PdRatioRow> rows, long omittedRows) {
        public PdRatioResult {
            rows = List.copyOf(rows);
        }
    }
}
