package io.throughputoptimizer.core.fleet;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.fleet.FleetResult.BrokenLimits;
import io.throughputoptimizer.core.fleet.FleetResult.DeviceRanking;
import io.throughputoptimizer.core.fleet.FleetResult.Impossible;
import io.throughputoptimizer.core.fleet.FleetResult.Rejection;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.silicon.BandBasis;
import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.silicon.CalibratedPass;
import io.throughputoptimizer.core.silicon.Flag;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.SiliconDeployment.Obstacle;
import io.throughputoptimizer.core.silicon.calibration.KernelUse;
import io.throughputoptimizer.core.steady.LawOutcome;
import io.throughputoptimizer.core.steady.MeanRequest;
import io.throughputoptimizer.core.steady.ServingRank;
import io.throughputoptimizer.core.steady.SteadyFigures;
import io.throughputoptimizer.core.steady.SteadyLaw;
import io.throughputoptimizer.core.steady.SteadySearch;
import io.throughputoptimizer.core.steady.SteadySearch.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// Finds layouts and concurrencies for measured devices: the best concurrency of each layout by the steady law, the
/// layouts ranked by tokens per second.
///
/// The same problem gives the same result. Used once, by one thread: the law is asked a few hundred times at most.
public final class FleetOptimizer {
    private static final Comparator<FleetRow> MOST_TOKENS_FIRST = Comparator.<FleetRow>comparingDouble(
                    row -> -row.tokensPerSecond().value())
            .thenComparingDouble(row -> row.figures().tpotMillis());

    private final FleetProblem problem;
    private final SearchMonitor monitor;
    private final List<FleetRow> rows = new ArrayList<>();
    private final List<Rejection> rejections = new ArrayList<>();
    private final Set<KernelUse> unexpected = new TreeSet<>(Comparator.comparing(KernelUse::toString));
    private long points;

    private FleetOptimizer(FleetProblem problem, SearchMonitor monitor) {
        this.problem = problem;
        this.monitor = monitor;
    }

    /// Searches every kind of device in turn. A search that finds nothing feasible is a result, which says why for
    /// every layout.
    ///
    /// @throws CancellationException soon after the monitor asked for it
    public static FleetResult optimize(FleetProblem problem, SearchMonitor monitor) {
        List<ParallelLayout> layouts = problem.layouts();
        monitor.candidatesTotal(layouts.size() * problem.devices().size());
        List<DeviceRanking> devices = new ArrayList<>();
        long points = 0;
        for (MeasuredDevice device : problem.devices()) {
            FleetOptimizer search = new FleetOptimizer(problem, monitor);
            layouts.forEach(layout -> search.layout(device, layout));
            search.rows.sort(MOST_TOKENS_FIRST);
            devices.add(new DeviceRanking(
                    device, List.copyOf(search.rows), List.copyOf(search.rejections), List.copyOf(search.unexpected)));
            points += search.points;
        }
        return new FleetResult(problem, List.copyOf(devices), points);
    }

    private void layout(MeasuredDevice device, ParallelLayout layout) {
        SiliconDeployment deployment = device.deployment(problem.model(), layout);
        Optional<Obstacle> obstacle = deployment.obstacle();
        if (obstacle.isPresent()) {
            rejections.add(new Impossible(layout, obstacle.get().reason()));
        } else {
            search(deployment, device.limits(deployment));
        }
        monitor.candidateDone();
    }

    private void search(SiliconDeployment deployment, CalibratedRank.Limits limits) {
        ParallelLayout layout = deployment.layout();
        int replicas = problem.deviceCount() / layout.deviceCount();
        CalibratedPass pass = CalibratedPass.of(deployment);
        ServingRank rank = CalibratedRank.of(pass, deployment.engine(), limits);
        FleetProblem.Demand demand = problem.demand();
        var ranking = new SteadySearch(demand.traffic(), demand.limits(), demand.batches())
                .run(List.of(new Candidate<>(layout, rank, layout.dp(), replicas)), this::failWhenCancelled);
        for (long point = 0; point < ranking.evaluations(); point++) {
            monitor.pointEvaluated();
        }
        points += ranking.evaluations();
        int least = demand.batches() == null ? 1 : demand.batches().least();
        ranking.rejections().forEach(rejected -> rejections.add(new BrokenLimits(layout, least, rejected.breaches())));
        ranking.rows().forEach(row -> rows.add(row(deployment, pass, limits, replicas, row.figures())));
    }

    private void failWhenCancelled() {
        if (monitor.cancelled()) {
            throw new CancellationException("the search was cancelled");
        }
    }

    private FleetRow row(
            SiliconDeployment deployment,
            CalibratedPass pass,
            CalibratedRank.Limits limits,
            int replicas,
            SteadyFigures figures) {
        unexpected.addAll(pass.unexpectedUses());
        MeanRequest request = problem.demand().traffic().mean();
        double running = figures.steps().running();
        double context = running * (request.inputTokens() + request.outputTokens() / 2);
        return new FleetRow(
                deployment,
                replicas,
                figures,
                captured(deployment, limits, figures.concurrency()),
                bands(deployment, pass, figures, limits),
                new FleetRow.Steps(
                        pass.decodeOperators(running, context),
                        pass.prefillOperators(1, request.newTokens(), request.pairs())),
                limits.cacheTokens());
    }

    private @Nullable SteadyFigures captured(
            SiliconDeployment deployment, CalibratedRank.Limits limits, double concurrency) {
        if (!deployment.calibration().isAscend()) {
            return null;
        }
        ServingRank rank = CalibratedRank.of(deployment.withoutLaunches(), limits);
        LawOutcome outcome = new SteadyLaw(
                        rank,
                        problem.demand().traffic().mean(),
                        problem.demand().traffic().waves())
                .at(concurrency);
        return (SteadyFigures) outcome;
    }

    private Bands bands(
            SiliconDeployment deployment, CalibratedPass pass, SteadyFigures figures, CalibratedRank.Limits limits) {
        Set<Flag> flags = Flag.of(deployment, pass.unexpectedBases(), false);
        MeanRequest request = problem.demand().traffic().mean();
        flags.addAll(Flag.of(new Flag.Load(
                figures.concurrency(),
                figures.steps().running(),
                limits.cacheTokens() / request.cachedTokens(),
                figures.concurrency() * deployment.layout().dp(),
                request.inputTokens(),
                problem.demand().traffic().waves())));
        if (request.prefixHitRate() > 0) {
            flags.add(Flag.EXTRAPOLATED);
        }
        return new Bands(
                problem.coverage(), flags, BandBasis.tpot(deployment.model()), BandBasis.ttft(deployment.model()));
    }
}
