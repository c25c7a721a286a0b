package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.search.EndToEndLatencyLimit;
import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds the fewest devices that serve a demand, and their instances. Immutable, thread-safe and deterministic.
public final class CapacityOptimizer {
    private final Optimizer optimizer;

    /// @param optimizer optimizer of single instances
    public CapacityOptimizer(Optimizer optimizer) {
        this.optimizer = optimizer;
    }

    /// Searches the instances of every size on every kind of device and combines them into deployments. If no
    /// deployment serves the demand, the result contains the reasons.
    ///
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException if the results exceed the memory budget
    ///     of a search
    /// @throws java.util.concurrent.CancellationException if the monitor canceled the work
    public CapacityResult optimize(CapacityProblem problem, SearchMonitor monitor) {
        return optimize(problem, monitor, true);
    }

    /// Searches instances and deployments without demand curves.
    ///
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException if the results exceed the memory budget
    ///     of a search
    /// @throws java.util.concurrent.CancellationException if the monitor canceled the work
    public CapacityResult withoutCurves(CapacityProblem problem, SearchMonitor monitor) {
        return optimize(problem, monitor, false);
    }

    private CapacityResult optimize(CapacityProblem problem, SearchMonitor monitor, boolean drawn) {
        MemoryBudget allowance = optimizer.allowance();
        PeakSearch search = new PeakSearch(problem, optimizer, monitor, allowance);
        search.run();
        DemandOperatingPoints loads = new DemandOperatingPoints(
                optimizer,
                search.peaks(),
                problem.demand().limits(),
                optimizer.handovers(problem.transfer()),
                problem.search().batches(),
                monitor,
                allowance);
        Map<String, List<Peak>> peaks = search.peaks().stream()
                .collect(Collectors.groupingBy(peak -> peak.device().name()));
        List<List<DevicePlans>> devices = problem.devices().stream()
                .map(device -> plans(
                        device.name(), problem, peaks.getOrDefault(device.name(), List.of()), search.answers(), loads))
                .toList();
        DevicePlans.Compared found = DevicePlans.compared(
                devices, DemandPlan.betterFirst(problem.demand().ranking()), drawn);
        return new CapacityResult(
                found,
                best(search.peaks(), problem),
                search.rejections(),
                List.copyOf(search.leftOut()),
                new Statistics(
                        Math.toIntExact(problem.candidates()),
                        search.points() + loads.points(),
                        search.forwardPasses() + loads.forwardPasses(),
                        search.simulatedSteps() + loads.simulatedSteps()));
    }

    /// @param answers end-to-end latency limit shared by prefill and decode; null if there is none
    private static List<DevicePlans> plans(
            String device,
            CapacityProblem problem,
            List<Peak> peaks,
            @Nullable EndToEndLatencyLimit answers,
            DemandOperatingPoints loads) {
        Objective objective = problem.demand().ranking();
        Comparator<DemandPlan> order = DemandPlan.betterFirst(objective);
        Map<Phase, List<Peak>> byPhase = peaks.stream().collect(Collectors.groupingBy(Peak::phase));
        List<Peak> prefill = byPhase.getOrDefault(Phase.PREFILL, List.of());
        List<Peak> decode = byPhase.getOrDefault(Phase.DECODE, List.of());
        return List.of(new CountedPlans(
                device,
                problem.available().of(device),
                problem.requirement(),
                List.of(
                        new EqualInstances<>(
                                byPhase.getOrDefault(Phase.AGGREGATION, List.of()),
                                (peak, requirement) -> new Planner(requirement, objective, loads).together(peak),
                                order,
                                loads::failWhenCancelled),
                        answers == null
                                ? new InstancePairs(prefill, decode, objective, loads)
                                : new AnswerPairs(prefill, decode, answers, problem.requirement(), objective, loads)),
                order));
    }

    private static List<Peak> best(List<Peak> peaks, CapacityProblem problem) {
        Comparator<Peak> most = Comparator.comparing(peak -> peak.ability(problem.requirement()));
        return peaks.stream()
                .collect(Collectors.groupingBy(
                        peak -> List.of(peak.device().name(), peak.size(), peak.phase()),
                        LinkedHashMap::new,
                        Collectors.maxBy(most)))
                .values()
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }
}
