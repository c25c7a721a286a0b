package io.throughputoptimizer.core.fleet;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.fleet.FleetResult.BrokenLimits;
import io.throughputoptimizer.core.fleet.FleetResult.Impossible;
import io.throughputoptimizer.core.fleet.FleetResult.Rejection;
import io.throughputoptimizer.core.fleet.FleetResult.Replicas;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.core.silicon.BandBasis;
import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.silicon.CalibratedPass;
import io.throughputoptimizer.core.silicon.Flag;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.SiliconDeployment.Obstacle;
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
import org.jspecify.annotations.Nullable;

/// Layouts of replicas on one kind of device: the best concurrency of each by the steady law, ranked by tokens per
/// second. Used once, by one thread.
final class ReplicaSearch {
    private static final Comparator<FleetRow> MOST_TOKENS_FIRST = Comparator.<FleetRow>comparingDouble(
                    row -> -row.tokensPerSecond().value())
            .thenComparingDouble(row -> row.figures().tpotMillis());

    private final FleetProblem problem;
    private final MeasuredDevice device;
    private final SearchEffort effort;
    private final List<FleetRow> rows = new ArrayList<>();
    private final List<Rejection> rejections = new ArrayList<>();

    ReplicaSearch(FleetProblem problem, MeasuredDevice device, SearchEffort effort) {
        this.problem = problem;
        this.device = device;
        this.effort = effort;
    }

    Replicas run() {
        problem.layouts().forEach(this::search);
        rows.sort(MOST_TOKENS_FIRST);
        return new Replicas(List.copyOf(rows), List.copyOf(rejections));
    }

    private void search(ParallelLayout layout) {
        SiliconDeployment deployment = device.deployment(problem.model(), layout);
        Optional<Obstacle> obstacle = deployment.obstacle();
        if (obstacle.isPresent()) {
            rejections.add(new Impossible(layout, obstacle.get().reason()));
        } else {
            search(deployment, device.limits(deployment));
        }
        effort.candidateDone();
    }

    private void search(SiliconDeployment deployment, CalibratedRank.Limits limits) {
        ParallelLayout layout = deployment.layout();
        int replicas = problem.deviceCount() / layout.deviceCount();
        CalibratedPass pass = CalibratedPass.of(deployment);
        ServingRank rank = CalibratedRank.of(pass, deployment.engine(), limits);
        FleetProblem.Demand demand = problem.demand();
        var ranking = new SteadySearch(demand.traffic(), demand.limits(), demand.batches())
                .run(List.of(new Candidate<>(layout, rank, layout.dp(), replicas)), effort::failWhenCancelled);
        effort.evaluated(ranking.evaluations());
        int least = demand.batches() == null ? 1 : demand.batches().least();
        ranking.rejections().forEach(rejected -> rejections.add(new BrokenLimits(layout, least, rejected.breaches())));
        ranking.rows().forEach(row -> rows.add(row(deployment, pass, limits, replicas, row.figures())));
    }

    private FleetRow row(
            SiliconDeployment deployment,
            CalibratedPass pass,
            CalibratedRank.Limits limits,
            int replicas,
            SteadyFigures figures) {
        effort.used(pass);
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
        return (SteadyFigures) new SteadyLaw(
                        rank,
                        problem.demand().traffic().mean(),
                        problem.demand().traffic().waves())
                .at(concurrency);
    }

    private Bands bands(
            SiliconDeployment deployment, CalibratedPass pass, SteadyFigures figures, CalibratedRank.Limits limits) {
        Set<Flag> flags = Flag.of(deployment, pass.unexpectedBases(), false);
        MeanRequest request = problem.demand().traffic().mean();
        flags.addAll(problem.flags(new Flag.Load(
                figures.concurrency(),
                figures.steps().running(),
                limits.cacheTokens() / request.cachedTokens(),
                figures.concurrency() * deployment.layout().dp(),
                request.inputTokens(),
                problem.demand().traffic().waves())));
        return new Bands(
                problem.coverage(), flags, BandBasis.tpot(deployment.model()), BandBasis.ttft(deployment.model()));
    }
}
