package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.measured.MeasuredResult.DeviceRanking;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/// Finds layouts and concurrencies for measured devices, by the laws of a lasting load: replicas that do both phases,
/// or prefill instances that feed decode instances.
///
/// The same problem gives the same result, however many threads help.
public final class MeasuredOptimizer {
    private MeasuredOptimizer() {}

    /// On the calling thread alone.
    ///
    /// @throws CancellationException soon after the monitor asked for it
    public static MeasuredResult optimize(MeasuredProblem problem, SearchMonitor monitor) {
        return optimize(problem, monitor, Workers.ALONE);
    }

    /// Searches every kind of device in turn, layouts and pairs of them side by side. A search that finds nothing
    /// feasible is a result, which says why for every layout.
    ///
    /// @throws CancellationException soon after the monitor asked for it
    public static MeasuredResult optimize(MeasuredProblem problem, SearchMonitor monitor, Workers workers) {
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
            MeasuredDevice device = problem.device(pair.prefill());
            MeasuredResult.Found found = instances == null
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
        return new MeasuredResult(problem, List.copyOf(devices), points, simulations);
    }
}
