package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.calibrated.CalibratedPoint.TriedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedResult.BrokenLimits;
import io.throughputoptimizer.core.calibrated.CalibratedResult.DeviceRanking;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Impossible;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.load.BestConcurrency.Found;
import io.throughputoptimizer.core.load.BestConcurrency.Tried;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.TtftSimulations;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
        return search(problem, monitor, workers, new TtftSimulations(_ -> monitor.failWhenCancelled()), false);
    }

    /// Searches for plans alone: a result about replicas lists no points, and its rows no limiting constraints.
    ///
    /// @param simulations simulations of the TTFT of crowded steps, which several searches can share
    /// @throws CancellationException soon after the monitor cancels the search
    public static CalibratedResult plans(
            CalibratedProblem problem, SearchMonitor monitor, Workers workers, TtftSimulations simulations) {
        return search(problem, monitor, workers, simulations, true);
    }

    private static CalibratedResult search(
            CalibratedProblem problem,
            SearchMonitor monitor,
            Workers workers,
            TtftSimulations crowded,
            boolean plansAlone) {
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
                    ? new ReplicaSearch(problem, device, effort, crowded, plansAlone).run(workers)
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

    /// Layouts of replicas on one kind of device: the best concurrency of each by the steady law, ranked by the
    /// objective.
    static final class ReplicaSearch {
        private final CalibratedProblem problem;
        private final CalibratedDevice device;
        private final SearchEffort effort;
        private final TtftSimulations simulations;
        private final boolean plansAlone;

        ReplicaSearch(
                CalibratedProblem problem,
                CalibratedDevice device,
                SearchEffort effort,
                TtftSimulations simulations,
                boolean plansAlone) {
            this.problem = problem;
            this.device = device;
            this.effort = effort;
            this.simulations = simulations;
            this.plansAlone = plansAlone;
        }

        CalibratedResult.Found run(Workers workers) {
            List<Supplier<Outcome>> tasks = problem.deployments(device).stream()
                    .<Supplier<Outcome>>map(deployment -> () -> outcome(deployment))
                    .toList();
            Outcome all = new Outcome(effort);
            workers.run(tasks, first -> first.effort().isShort()).forEach(all::add);
            return all.found(Comparator.comparing(CalibratedRow::at, problem.betterFirst(device)));
        }

        private Outcome outcome(CalibratedDeployment deployment) {
            Outcome outcome = new Outcome(effort.ofPart());
            effort.failWhenCancelled();
            Optional<Obstacle> obstacle = deployment.servingObstacle();
            if (obstacle.isPresent()) {
                outcome.reject(new Impossible(
                        new InstanceLayout.Equal(deployment.form()),
                        obstacle.get().reason()));
            } else {
                search(deployment, outcome);
            }
            effort.candidateDone();
            return outcome;
        }

        private void search(CalibratedDeployment deployment, Outcome outcome) {
            PricedReplicas tried = PricedReplicas.of(problem, device, deployment, simulations);
            Found found =
                    plansAlone ? tried.searchBest(effort::failWhenCancelled) : tried.search(effort::failWhenCancelled);
            outcome.effort().evaluated(found.evaluations());
            outcome.effort().simulated(found.simulations());
            if (!plansAlone) {
                addPoints(tried, found, outcome);
            }
            Optional<CalibratedRow> row =
                    plansAlone ? Optional.ofNullable(found.best()).map(tried::row) : tried.best(found);
            row.ifPresentOrElse(
                    best -> add(tried, best, outcome),
                    () -> outcome.reject(BrokenLimits.of(
                            tried.arrangement(), tried.instance(), tried.leastConcurrency(), found.breaches())));
        }

        private void addPoints(PricedReplicas tried, Found found, Outcome outcome) {
            Function<SteadyFigures, @Nullable SteadyFigures> captured = tried.captured();
            List<Tried> shown = !device.isCorrected() ? found.tried() : found.sparse();
            outcome.leaveOut(found.tried().size() - shown.size());
            shown.forEach(
                    one -> outcome.point(new TriedPoint(tried.point(one.figures(), captured), one.withinLimits())));
        }

        /// Adds the best row of a layout, or its rejection if the request rate saturates it.
        private void add(PricedReplicas tried, CalibratedRow best, Outcome outcome) {
            outcome.effort().used(tried.instance().pass());
            int concurrency = (int) best.at().figures().concurrency();
            Optional<Breach> saturated = tried.saturation();
            if (saturated.isPresent()) {
                outcome.reject(new BrokenLimits(tried.arrangement(), concurrency, List.of(saturated.get()), null));
            } else if (problem.demand().simulatesRows()) {
                outcome.effort().simulated(1);
                outcome.row(best.with(tried.simulated(concurrency).run(problem.coverage(), effort::failWhenCancelled)));
            } else {
                outcome.row(best);
            }
        }
    }
}
