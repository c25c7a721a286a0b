package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.calibrated.CalibratedResult.DeviceRanking;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/// Optimizer of layouts and concurrencies on calibrated devices, by steady-state laws: aggregated replicas, or
/// disaggregated prefill and decode instances.
///
/// Results are deterministic, independent of the number of threads.
public final class CalibratedOptimizer {
    private CalibratedOptimizer() {}

    /// Searches on the calling thread alone.
    ///
    /// @throws CancellationException soon after the monitor cancels the search
    public static CalibratedResult optimize(CalibratedProblem problem, SearchMonitor monitor) {
        return optimize(problem, monitor, Workers.ALONE);
    }

    /// Searches every kind of device in turn, its layouts and pairs in parallel. If nothing is feasible, the
    /// result has the reason for every layout.
    ///
    /// @throws CancellationException soon after the monitor cancels the search
    public static CalibratedResult optimize(CalibratedProblem problem, SearchMonitor monitor, Workers workers) {
        monitor.candidatesTotal(Math.toIntExact(problem.candidates()));
        List<DeviceRanking> devices = new ArrayList<>();
        long points = 0;
        long simulations = 0;
        Pairing instances = problem.instances();
        // Kinds of replicas are pairs of one kind.
        List<Kinds> kinds = instances == null
                ? problem.devices().stream()
                        .map(device -> new Kinds(device.name(), device.name()))
                        .toList()
                : problem.kinds();
        for (Kinds pair : kinds) {
            SearchEffort effort = new SearchEffort(monitor);
            CalibratedDevice device = problem.device(pair.prefill());
            CalibratedResult.Found found = instances == null
                    ? new ReplicaSearch(problem, device, effort).run(workers)
                    : new PairSearch(problem, instances, pair, effort).run(workers);
            devices.add(new DeviceRanking(
                    device,
                    found,
                    effort.unexpectedUses(),
                    pair.shareDevices() ? null : problem.device(pair.decode())));
            points += effort.points();
            simulations += effort.simulations();
        }
        return new CalibratedResult(problem, List.copyOf(devices), points, simulations);
    }
}
