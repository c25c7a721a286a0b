package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.measured.MeasuredResult.BrokenLimits;
import io.throughputoptimizer.core.measured.MeasuredResult.Impossible;
import io.throughputoptimizer.core.measured.MeasuredResult.Rejection;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.BestConcurrency.Found;
import io.throughputoptimizer.core.steady.BestConcurrency.Tried;
import io.throughputoptimizer.core.steady.Breach;
import io.throughputoptimizer.core.steady.SteadyFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Layouts of replicas on one kind of device: the best concurrency of each by the steady law, ranked by the objective.
/// Used once, by one thread.
final class ReplicaSearch {
    private final MeasuredProblem problem;
    private final MeasuredDevice device;
    private final SearchEffort effort;
    private final List<MeasuredRow> rows = new ArrayList<>();
    private final List<Rejection> rejections = new ArrayList<>();
    private final List<TriedPoint> points = new ArrayList<>();
    private long pointsLeftOut;

    ReplicaSearch(MeasuredProblem problem, MeasuredDevice device, SearchEffort effort) {
        this.problem = problem;
        this.device = device;
        this.effort = effort;
    }

    MeasuredResult.Found run() {
        problem.deployments(device).forEach(this::tryOut);
        rows.sort(Comparator.comparing(MeasuredRow::at, problem.betterFirst(device)));
        return new MeasuredResult.Found(List.copyOf(rows), List.copyOf(rejections), List.copyOf(points), pointsLeftOut);
    }

    private void tryOut(SiliconDeployment deployment) {
        effort.failWhenCancelled();
        Optional<Obstacle> obstacle = deployment.obstacle();
        if (obstacle.isPresent()) {
            rejections.add(new Impossible(
                    new Arrangement.Equal(deployment.layout(), deployment.speculation()),
                    obstacle.get().reason()));
        } else {
            search(deployment);
        }
        effort.candidateDone();
    }

    private void search(SiliconDeployment deployment) {
        PricedReplicas tried = PricedReplicas.of(problem, device, deployment);
        Found found = tried.search(effort::failWhenCancelled);
        effort.evaluated(found.evaluations());
        effort.simulated(found.simulations());
        Function<SteadyFigures, @Nullable SteadyFigures> captured = tried.captured();
        List<Tried> shown = !device.isCorrected() ? found.tried() : found.sparse();
        pointsLeftOut += found.tried().size() - shown.size();
        shown.forEach(one -> points.add(new TriedPoint(tried.point(one.figures(), captured), one.withinLimits())));
        tried.best(found)
                .ifPresentOrElse(
                        best -> add(tried, best),
                        () -> rejections.add(
                                new BrokenLimits(tried.arrangement(), tried.leastConcurrency(), found.breaches())));
    }

    /// A layout that the rate saturates has no row.
    private void add(PricedReplicas tried, MeasuredRow best) {
        effort.used(tried.instance().pass());
        int concurrency = (int) best.at().figures().concurrency();
        Optional<Breach> saturated = tried.saturation();
        if (saturated.isPresent()) {
            rejections.add(new BrokenLimits(tried.arrangement(), concurrency, List.of(saturated.get())));
        } else if (problem.demand().simulatesRows()) {
            effort.simulated(1);
            rows.add(best.with(tried.simulated(concurrency).run(problem.coverage(), effort::failWhenCancelled)));
        } else {
            rows.add(best);
        }
    }
}
