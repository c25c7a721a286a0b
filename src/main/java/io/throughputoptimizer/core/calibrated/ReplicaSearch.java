package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.calibrated.CalibratedResult.BrokenLimits;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Impossible;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.load.BestConcurrency.Found;
import io.throughputoptimizer.core.load.BestConcurrency.Tried;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.search.Workers;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Layouts of replicas on one kind of device: the best concurrency of each by the steady law, ranked by the objective.
final class ReplicaSearch {
    private final CalibratedProblem problem;
    private final CalibratedDevice device;
    private final SearchEffort effort;

    ReplicaSearch(CalibratedProblem problem, CalibratedDevice device, SearchEffort effort) {
        this.problem = problem;
        this.device = device;
        this.effort = effort;
    }

    CalibratedResult.Found run(Workers workers) {
        List<Supplier<Outcome>> tasks = problem.deployments(device).stream()
                .<Supplier<Outcome>>map(deployment -> () -> outcome(deployment))
                .toList();
        Outcome all = new Outcome(effort);
        workers.run(tasks).forEach(all::add);
        return all.found(Comparator.comparing(CalibratedRow::at, problem.betterFirst(device)));
    }

    private Outcome outcome(CalibratedDeployment deployment) {
        Outcome outcome = new Outcome(effort.ofPart());
        effort.failWhenCancelled();
        Optional<Obstacle> obstacle = deployment.servingObstacle();
        if (obstacle.isPresent()) {
            outcome.reject(new Impossible(
                    new InstanceLayout.Equal(deployment.form()), obstacle.get().reason()));
        } else {
            search(deployment, outcome);
        }
        effort.candidateDone();
        return outcome;
    }

    private void search(CalibratedDeployment deployment, Outcome outcome) {
        PricedReplicas tried = PricedReplicas.of(problem, device, deployment);
        Found found = tried.search(effort::failWhenCancelled);
        outcome.effort().evaluated(found.evaluations());
        outcome.effort().simulated(found.simulations());
        Function<SteadyFigures, @Nullable SteadyFigures> captured = tried.captured();
        List<Tried> shown = !device.isCorrected() ? found.tried() : found.sparse();
        outcome.leaveOut(found.tried().size() - shown.size());
        shown.forEach(one -> outcome.point(new TriedPoint(tried.point(one.figures(), captured), one.withinLimits())));
        tried.best(found)
                .ifPresentOrElse(
                        best -> add(tried, best, outcome),
                        () -> outcome.reject(BrokenLimits.of(
                                tried.arrangement(), tried.instance(), tried.leastConcurrency(), found.breaches())));
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
