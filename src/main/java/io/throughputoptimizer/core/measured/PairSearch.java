package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.measured.MeasuredResult.BrokenLimits;
import io.throughputoptimizer.core.measured.MeasuredResult.BrokenPair;
import io.throughputoptimizer.core.measured.MeasuredResult.Impossible;
import io.throughputoptimizer.core.measured.MeasuredResult.Pairs;
import io.throughputoptimizer.core.measured.MeasuredResult.Rejection;
import io.throughputoptimizer.core.search.KvTransfer.Handover;
import io.throughputoptimizer.core.search.Pairing;
import io.throughputoptimizer.core.search.Pairing.Kinds;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.SiliconDeployment.Obstacle;
import io.throughputoptimizer.core.steady.DisaggregatedSearch;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Counts;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Ranking;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Stock;
import io.throughputoptimizer.core.steady.DisaggregatedSearch.Worker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Prefill instances that feed decode instances on one kind of device, or each on one of its own: all pairs of layouts
/// in all numbers that leave no room for one more instance, or of all sizes in the best of all numbers; each at its
/// best concurrency, ranked by the objective, usually tokens per second and device that works. Used once, by one
/// thread.
final class PairSearch {
    private final MeasuredProblem problem;
    private final Comparator<PairRow> betterFirst;
    private final Pairing sizes;
    private final Kinds kinds;
    private final SearchEffort effort;
    private final List<PairRow> rows = new ArrayList<>();
    private final List<BrokenPair> broken = new ArrayList<>();
    private final List<TriedPoint<PairPoint>> points = new ArrayList<>();
    private long pointsLeftOut;

    PairSearch(MeasuredProblem problem, Pairing sizes, Kinds kinds, SearchEffort effort) {
        this.problem = problem;
        this.betterFirst = Comparator.comparing(PairRow::at, problem.betterFirst(problem.device(kinds.prefill())));
        this.sizes = sizes;
        this.kinds = kinds;
        this.effort = effort;
    }

    Pairs run() {
        List<Rejection> prefillRejections = new ArrayList<>();
        List<Rejection> decodeRejections = new ArrayList<>();
        List<ParallelLayout> prefillLayouts = layouts(sizes.prefillSizes(kinds.prefill(), problem.available()));
        List<ParallelLayout> decodeLayouts = layouts(sizes.decodeSizes(kinds.decode(), problem.available()));
        List<PricedInstance> prefill = instances(kinds.prefill(), prefillLayouts, prefillRejections).stream()
                .filter(instance -> holdsAPrompt(instance, prefillRejections))
                .toList();
        List<PricedInstance> decode = instances(kinds.decode(), decodeLayouts, decodeRejections);
        prefill.forEach(one -> decode.forEach(other -> search(one, other)));
        long impossible = (long) prefillLayouts.size() * decodeLayouts.size() - (long) prefill.size() * decode.size();
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

    private List<ParallelLayout> layouts(List<Integer> devices) {
        return devices.stream()
                .flatMap(size -> problem.instanceLayouts(size).stream())
                .toList();
    }

    private List<PricedInstance> instances(String name, List<ParallelLayout> layouts, List<Rejection> rejections) {
        MeasuredDevice device = problem.device(name);
        List<PricedInstance> instances = new ArrayList<>();
        for (ParallelLayout layout : layouts) {
            effort.failWhenCancelled();
            SiliconDeployment deployment = device.deployment(problem.model(), layout);
            Optional<Obstacle> obstacle = deployment.obstacle();
            if (obstacle.isPresent()) {
                rejections.add(new Impossible(layout, obstacle.get().reason()));
            } else {
                instances.add(PricedInstance.of(deployment, device));
            }
        }
        return instances;
    }

    private boolean holdsAPrompt(PricedInstance instance, List<Rejection> rejections) {
        Optional<BrokenLimits> lack =
                instance.lackOfRoomForAPrompt(problem.demand().traffic().mean());
        lack.ifPresent(rejections::add);
        return lack.isEmpty();
    }

    private void search(PricedInstance prefill, PricedInstance decode) {
        effort.failWhenCancelled();
        MeasuredProblem.Demand demand = problem.demand();
        Stock stock = problem.stock(
                kinds, prefill.layout().deviceCount(), decode.layout().deviceCount());
        Tried tried = new Tried(problem, prefill, decode);
        if (stock.counts().isEmpty()) {
            effort.candidateDone();
            return;
        }
        double transfer =
                tried.in(new Counts(1, 1)).handover().map(Handover::millis).orElse(0.0);
        var ranking = new DisaggregatedSearch(
                        demand.traffic(),
                        demand.limits(),
                        demand.batches(),
                        demand.preference(),
                        problem.scan(),
                        transfer)
                .run(stock, List.of(worker(prefill)), List.of(worker(decode)), effort::failWhenCancelled);
        effort.evaluated(ranking.evaluations());
        List<PairRow> found = ranking.rows().stream()
                .map(row -> {
                    effort.failWhenCancelled();
                    return tried.in(row.candidate().counts()).row(row.figures());
                })
                .sorted(betterFirst)
                .toList();
        rows.addAll(withMost(problem.pairsFreely() ? found.stream().limit(1).toList() : found, found));
        if (!ranking.rows().isEmpty()) {
            effort.used(prefill.pass());
            effort.used(decode.pass());
        }
        keepPoints(tried, ranking, found);
        if (ranking.rows().isEmpty()) {
            ranking.rejections().stream()
                    .findFirst()
                    .map(rejected -> {
                        PricedPair pair = tried.in(rejected.candidate().counts());
                        return new BrokenPair(pair.arrangement(), pair.leastConcurrency(), rejected.breaches());
                    })
                    .ifPresent(broken::add);
        }
        effort.candidateDone();
    }

    /// @param found the same layouts in all numbers that were tried
    private static List<PairRow> withMost(List<PairRow> shown, List<PairRow> found) {
        Optional<PairPoint> most = found.stream()
                .map(PairRow::at)
                .max(Comparator.comparingDouble((PairPoint at) -> at.figures().requestsPerSecond())
                        .thenComparingInt(at -> -at.devicesUsed()));
        return shown.stream().map(row -> row.withMost(most.orElse(row.at()))).toList();
    }

    private static Worker<PricedInstance> worker(PricedInstance instance) {
        return new Worker<>(instance, instance.rank(), instance.layout().dp());
    }

    private void keepPoints(Tried tried, Ranking<PricedInstance> ranking, List<PairRow> found) {
        Counts shown = found.isEmpty()
                ? ranking.rejections().getFirst().candidate().counts()
                : found.getFirst().at().counts();
        ranking.points().stream()
                .filter(point -> point.candidate().counts().equals(shown))
                .forEach(point ->
                        points.add(new TriedPoint<>(tried.in(shown).point(point.figures()), point.withinLimits())));
        pointsLeftOut += ranking.points().stream()
                .filter(point -> !point.candidate().counts().equals(shown))
                .count();
    }

    /// A pair of layouts that can be priced.
    private record Tried(MeasuredProblem problem, PricedInstance prefill, PricedInstance decode) {
        private PricedPair in(Counts counts) {
            return new PricedPair(problem, prefill, decode, counts);
        }
    }
}
