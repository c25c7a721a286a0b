package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.search.Allowance;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Finds out how few devices serve a demand, and in which instances. Immutable and thread-safe; the same problem
/// gives the same result.
public final class CapacityOptimizer {
    private final Optimizer optimizer;

    /// @param optimizer searches single instances
    public CapacityOptimizer(Optimizer optimizer) {
        this.optimizer = optimizer;
    }

    /// Searches the instances of every size on every kind of device, and puts deployments together. That nothing serves
    /// the demand is a result, which says why.
    ///
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException when they would keep more than a search may
    /// @throws java.util.concurrent.CancellationException soon after the monitor asked for it
    public CapacityResult optimize(CapacityProblem problem, SearchMonitor monitor) {
        Allowance allowance = optimizer.allowance();
        PeakSearch search = new PeakSearch(problem, optimizer, monitor, allowance);
        search.run();
        LoadedRows loads = new LoadedRows(
                optimizer,
                problem.demand().limits(),
                optimizer.handovers(problem.transfer()),
                problem.search().batches(),
                monitor,
                allowance);
        Map<String, List<Peak>> peaks = search.peaks().stream()
                .collect(Collectors.groupingBy(peak -> peak.device().name()));
        List<DevicePlans> devices = problem.devices().stream()
                .map(device -> new DevicePlans(
                        problem,
                        problem.available().of(device.name()),
                        peaks.getOrDefault(device.name(), List.of()),
                        loads))
                .toList();
        Comparator<DemandPlan> order = DemandPlan.betterFirst(problem.demand().ranking());
        List<CapacityPlan> plans = devices.stream()
                .flatMap(one -> one.plans().stream())
                .sorted(order)
                .toList();
        List<DevicePlans> unserved =
                devices.stream().filter(one -> one.plans().isEmpty()).toList();
        return new CapacityResult(
                problem,
                plans,
                unserved.stream()
                        .flatMap(one -> one.beyond().stream())
                        .sorted(order)
                        .toList(),
                unserved.stream().flatMap(DevicePlans::reaches).toList(),
                best(search.peaks(), problem),
                search.rejections(),
                search.leftOut(),
                devices.stream().flatMap(DevicePlans::curve).toList(),
                new Statistics(
                        Math.toIntExact(problem.candidates()),
                        search.points() + loads.points(),
                        search.forwardPasses() + loads.forwardPasses(),
                        search.simulatedSteps() + loads.simulatedSteps()));
    }

    private static List<Peak> best(List<Peak> peaks, CapacityProblem problem) {
        Comparator<Peak> most = Comparator.comparing(peak -> peak.ability(problem.requirement()));
        Map<Integer, Map<Integer, Map<Phase, Optional<Peak>>>> best = peaks.stream()
                .collect(Collectors.groupingBy(
                        peak -> problem.devices().indexOf(peak.device()),
                        TreeMap::new,
                        Collectors.groupingBy(
                                Peak::size,
                                TreeMap::new,
                                Collectors.groupingBy(Peak::phase, TreeMap::new, Collectors.maxBy(most)))));
        return best.values().stream()
                .flatMap(sizes -> sizes.values().stream())
                .flatMap(phases -> phases.values().stream())
                .flatMap(Optional::stream)
                .toList();
    }
}
