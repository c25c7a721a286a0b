package io.throughputoptimizer.core.fleet;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.fleet.FleetResult.BrokenLimits;
import io.throughputoptimizer.core.fleet.FleetResult.BrokenPair;
import io.throughputoptimizer.core.fleet.FleetResult.Impossible;
import io.throughputoptimizer.core.fleet.FleetResult.Pairs;
import io.throughputoptimizer.core.fleet.FleetResult.Rejection;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.core.search.OptimizationProblem.InstanceSizes;
import io.throughputoptimizer.core.silicon.BandBasis;
import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.silicon.CalibratedPass;
import io.throughputoptimizer.core.silicon.Flag;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.SiliconDeployment.Obstacle;
import io.throughputoptimizer.core.steady.DisaggregatedFigures;
import io.throughputoptimizer.core.steady.DisaggregatedLaw;
import io.throughputoptimizer.core.steady.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.steady.DisaggregatedSearch;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Counts;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Ranking;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Worker;
import io.throughputoptimizer.core.steady.MeanRequest;
import io.throughputoptimizer.core.steady.ServiceLimits.Breach;
import io.throughputoptimizer.core.steady.ServiceLimits.Limit;
import io.throughputoptimizer.core.steady.ServingRank;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Prefill instances that feed decode instances on one kind of device: all pairs of layouts in all numbers that
/// leave no room for one more instance, each at its best concurrency, ranked by the goal, usually tokens per second
/// and device that works. Used once, by one thread.
final class PairSearch {
    private final FleetProblem problem;
    private final Comparator<PairRow> betterFirst;
    private final InstanceSizes sizes;
    private final MeasuredDevice device;
    private final SearchEffort effort;
    private final List<PairRow> rows = new ArrayList<>();
    private final List<BrokenPair> broken = new ArrayList<>();
    private final List<TriedPoint<PairPoint>> points = new ArrayList<>();
    private long pointsLeftOut;

    /// An instance that can be priced.
    private record Instance(SiliconDeployment deployment, CalibratedPass pass, CalibratedRank.Limits limits) {
        private Worker<Instance> worker() {
            ServingRank rank = CalibratedRank.of(pass, deployment.engine(), limits);
            return new Worker<>(this, rank, deployment.layout().dp());
        }

        /// Attention data parallel ranks of so many instances.
        private int ranks(int count) {
            return count * deployment.layout().dp();
        }

        private ServingRank captured() {
            return CalibratedRank.of(deployment.withoutLaunches(), limits);
        }
    }

    PairSearch(FleetProblem problem, InstanceSizes sizes, MeasuredDevice device, SearchEffort effort) {
        this.problem = problem;
        this.betterFirst = Comparator.comparing(PairRow::at, problem.betterFirst(device));
        this.sizes = sizes;
        this.device = device;
        this.effort = effort;
    }

    Pairs run() {
        List<Rejection> prefillRejections = new ArrayList<>();
        List<Rejection> decodeRejections = new ArrayList<>();
        List<Instance> prefill = instances(sizes.prefillDevices(), prefillRejections).stream()
                .filter(instance -> holdsAPrompt(instance, prefillRejections))
                .toList();
        List<Instance> decode = instances(sizes.decodeDevices(), decodeRejections);
        prefill.forEach(one -> decode.forEach(other -> search(one, other)));
        long impossible = problem.candidates() / problem.devices().size() - (long) prefill.size() * decode.size();
        for (long pair = 0; pair < impossible; pair++) {
            effort.candidateDone();
        }
        rows.sort(betterFirst);
        return new Pairs(
                List.copyOf(rows),
                List.copyOf(prefillRejections),
                List.copyOf(decodeRejections),
                List.copyOf(broken),
                List.copyOf(points),
                pointsLeftOut);
    }

    private List<Instance> instances(int devices, List<Rejection> rejections) {
        List<Instance> instances = new ArrayList<>();
        for (ParallelLayout layout : problem.instanceLayouts(devices)) {
            SiliconDeployment deployment = device.deployment(problem.model(), layout);
            Optional<Obstacle> obstacle = deployment.obstacle();
            if (obstacle.isPresent()) {
                rejections.add(new Impossible(layout, obstacle.get().reason()));
            } else {
                instances.add(new Instance(deployment, CalibratedPass.of(deployment), device.limits(deployment)));
            }
        }
        return instances;
    }

    /// The law asks for room on the decode side only; a prefill rank needs some for the prompt that it works on.
    private boolean holdsAPrompt(Instance instance, List<Rejection> rejections) {
        double needed = problem.demand().traffic().mean().inputTokens();
        double room = instance.limits.cacheTokens();
        if (room < needed) {
            rejections.add(new BrokenLimits(
                    instance.deployment.layout(), 1, List.of(new Breach(Limit.KV_TOKENS, needed, room))));
        }
        return room >= needed;
    }

    private void search(Instance prefill, Instance decode) {
        FleetProblem.Demand demand = problem.demand();
        var ranking = new DisaggregatedSearch(demand.traffic(), demand.limits(), demand.batches(), demand.preference())
                .run(
                        problem.fleet(sizes),
                        List.of(prefill.worker()),
                        List.of(decode.worker()),
                        effort::failWhenCancelled);
        effort.evaluated(ranking.evaluations());
        Tried tried = new Tried(problem, prefill, decode);
        List<PairRow> found = ranking.rows().stream()
                .map(row -> tried.row(row.candidate().counts(), row.figures()))
                .sorted(betterFirst)
                .toList();
        rows.addAll(found);
        if (!ranking.rows().isEmpty()) {
            effort.used(prefill.pass);
            effort.used(decode.pass);
        }
        keepPoints(tried, ranking, found);
        if (ranking.rows().isEmpty()) {
            ranking.rejections().stream()
                    .findFirst()
                    .map(rejected -> {
                        Counts counts = rejected.candidate().counts();
                        return new BrokenPair(
                                prefill.deployment.layout(),
                                decode.deployment.layout(),
                                counts,
                                least(decode, counts),
                                rejected.breaches());
                    })
                    .ifPresent(broken::add);
        }
        effort.candidateDone();
    }

    private int least(Instance decode, Counts counts) {
        var batches = problem.demand().batches();
        int least = batches == null ? 1 : batches.least() * decode.ranks(counts.decode());
        return Math.max(least, problem.demand().leastConcurrency());
    }

    private void keepPoints(Tried tried, Ranking<Instance> ranking, List<PairRow> found) {
        Counts shown = found.isEmpty()
                ? ranking.rejections().getFirst().candidate().counts()
                : found.getFirst().at().counts();
        ranking.points().stream()
                .filter(point -> point.candidate().counts().equals(shown))
                .forEach(point ->
                        points.add(new TriedPoint<>(tried.point(shown, point.figures()), point.withinLimits())));
        pointsLeftOut += ranking.points().stream()
                .filter(point -> !point.candidate().counts().equals(shown))
                .count();
    }

    /// A pair of layouts that can be priced.
    private record Tried(FleetProblem problem, Instance prefill, Instance decode) {

        private PairRow row(Counts counts, DisaggregatedFigures figures) {
            PairPoint point = point(counts, figures);
            MeanRequest request = problem.demand().traffic().mean();
            double context = point.running() * (request.inputTokens() + request.outputTokens() / 2);
            return new PairRow(
                    point,
                    new FleetRow.Steps(
                            decode.pass.decodeOperators(point.running(), context),
                            prefill.pass.prefillOperators(1, request.newTokens(), request.pairs())),
                    decode.limits.cacheTokens());
        }

        private PairPoint point(Counts counts, DisaggregatedFigures figures) {
            return new PairPoint(
                    prefill.deployment,
                    decode.deployment,
                    counts,
                    figures,
                    captured(counts, figures.concurrency()),
                    bands(counts, figures.concurrency()));
        }

        private @Nullable DisaggregatedFigures captured(Counts counts, double concurrency) {
            if (!decode.deployment.calibration().isAscend()) {
                return null;
            }
            return (DisaggregatedFigures) new DisaggregatedLaw(
                            new Workers(prefill.captured(), prefill.ranks(counts.prefill())),
                            new Workers(decode.captured(), decode.ranks(counts.decode())),
                            problem.demand().traffic().mean(),
                            problem.demand().traffic().waves())
                    .at(concurrency);
        }

        private Bands bands(Counts counts, double concurrency) {
            Set<Flag> flags = Flag.of(decode.deployment, decode.pass.unexpectedBases(), true);
            flags.addAll(Flag.of(prefill.deployment, prefill.pass.unexpectedBases(), true));
            MeanRequest request = problem.demand().traffic().mean();
            double running = DisaggregatedLaw.running(concurrency, decode.ranks(counts.decode()));
            flags.addAll(problem.flags(new Flag.Load(
                    running,
                    running,
                    decode.limits.cacheTokens() / request.cachedTokens(),
                    running * decode.deployment.layout().dp(),
                    request.inputTokens(),
                    problem.demand().traffic().waves())));
            return new Bands(
                    problem.coverage(),
                    flags,
                    BandBasis.disaggregatedTpot(decode.deployment),
                    BandBasis.TTFT_DISAGGREGATED);
        }
    }
}
