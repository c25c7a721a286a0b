package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.hardware.DeviceFigures;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.OptimizationResult.PdRatioResult;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Comparison of kinds of device: the effective rates of each, and the best row of each. Kinds without a row
/// are left out of a ranking; of equal ones the earlier goes first.
///
/// @param profiles one entry per kind of device, in the problem's order
/// @param phases one ranking per phase; empty if the search combines prefill and decode
/// @param pdRatio ranking of a P:D ratio search; empty in other modes
public record HardwareComparison(List<DeviceFigures> profiles, List<PhaseRanking> phases, List<PdRatioBest> pdRatio) {

    /// Kinds of device by the throughput of their best row.
    public record PhaseRanking(Phase phase, List<PhaseBest> rows) {
        public PhaseRanking {
            rows = List.copyOf(rows);
        }
    }

    /// The best row of one kind of device.
    ///
    /// @param rank rank from 1
    /// @param deviceCount devices of one instance
    public record PhaseBest(int rank, DeviceProfile device, int deviceCount, ResultRow row) {}

    /// The best combination on one kind of device, or on two.
    ///
    /// @param rank rank from 1
    /// @param device display name of the kind or kinds
    public record PdRatioBest(int rank, String device, PdRatioRow row) {}

    public HardwareComparison {
        profiles = List.copyOf(profiles);
        phases = List.copyOf(phases);
        pdRatio = List.copyOf(pdRatio);
    }

    /// Returns the comparison.
    ///
    /// @param devices results of one problem, so that all have the same phases
    /// @param problem problem with the objective
    static HardwareComparison of(List<DeviceResult> devices, OptimizationProblem problem) {
        Objective objective = problem.ranking();
        boolean byRatio = devices.getFirst().pdRatio() != null;
        return new HardwareComparison(
                problem.devices().stream().map(DeviceFigures::of).toList(),
                byRatio
                        ? List.of()
                        : devices.getFirst().phases().stream()
                                .map(phase -> ranking(phase.phase(), devices, objective.in(phase.phase())))
                                .toList(),
                ratioRanking(
                        devices,
                        order(
                                new PairObjective(
                                        objective,
                                        problem.demand().workload().outputs().mean()),
                                problem)));
    }

    private static PhaseRanking ranking(Phase phase, List<DeviceResult> devices, Objective objective) {
        List<PhaseBest> ranked = new ArrayList<>();
        devices.stream()
                .flatMap(device -> best(device, phase))
                .sorted(Comparator.comparing(PhaseBest::row, Ranking.betterFirst(objective)))
                .forEach(best ->
                        ranked.add(new PhaseBest(ranked.size() + 1, best.device(), best.deviceCount(), best.row())));
        return new PhaseRanking(phase, ranked);
    }

    private static Stream<PhaseBest> best(DeviceResult device, Phase phase) {
        return device.phases().stream()
                .filter(result -> result.phase() == phase && !result.rows().isEmpty())
                .map(result -> new PhaseBest(
                        1, device.device(), result.deviceCount(), result.rows().getFirst()));
    }

    private static Comparator<PdRatioRow> order(PairObjective objective, OptimizationProblem problem) {
        return problem.search().countsInstances()
                ? objective.togetherFirst()
                : objective.first(PdRatioRow.BETTER_DEVICE_FIRST);
    }

    private static List<PdRatioBest> ratioRanking(List<DeviceResult> devices, Comparator<PdRatioRow> order) {
        List<PdRatioBest> ranked = new ArrayList<>();
        devices.stream()
                .flatMap(HardwareComparison::bestRatio)
                .sorted(Comparator.comparing(PdRatioBest::row, order))
                .forEach(best -> ranked.add(new PdRatioBest(ranked.size() + 1, best.device(), best.row())));
        return ranked;
    }

    private static Stream<PdRatioBest> bestRatio(DeviceResult device) {
        PdRatioResult result = device.pdRatio();
        return result == null
                ? Stream.empty()
                : result.rows().stream().limit(1).map(row -> new PdRatioBest(1, device.label(), row));
    }
}
