package io.throughputoptimizer.core.fleet;

import io.throughputoptimizer.core.fleet.FleetResult.DeviceRanking;
import io.throughputoptimizer.core.search.Pairing;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/// Finds layouts and concurrencies for measured devices, by the laws of a lasting load: replicas that do both phases,
/// or prefill instances that feed decode instances.
///
/// The same problem gives the same result.
public final class FleetOptimizer {
    private FleetOptimizer() {}

    /// Searches every kind of device in turn. A search that finds nothing feasible is a result, which says why for
    /// every layout.
    ///
    /// @throws CancellationException soon after the monitor asked for it
    public static FleetResult optimize(FleetProblem problem, SearchMonitor monitor) {
        monitor.candidatesTotal(Math.toIntExact(problem.candidates()));
        List<DeviceRanking> devices = new ArrayList<>();
        long points = 0;
        long simulations = 0;
        for (MeasuredDevice device : problem.devices()) {
            SearchEffort effort = new SearchEffort(monitor);
            Pairing instances = problem.instances();
            FleetResult.Found found = instances == null
                    ? new ReplicaSearch(problem, device, effort).run()
                    : new PairSearch(problem, instances, device, effort).run();
            devices.add(new DeviceRanking(device, found, effort.unexpectedUses()));
            points += effort.points();
            simulations += effort.simulations();
        }
        return new FleetResult(problem, List.copyOf(devices), points, simulations);
    }
}
