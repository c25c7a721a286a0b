package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.measured.MeasuredResult.BrokenLimits;
import io.throughputoptimizer.core.measured.MeasuredResult.BrokenPair;
import io.throughputoptimizer.core.measured.MeasuredResult.Impossible;
import io.throughputoptimizer.core.measured.MeasuredResult.Pairs;
import io.throughputoptimizer.core.measured.MeasuredResult.Rejection;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.Pairing;
import io.throughputoptimizer.core.search.Pairing.Kinds;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.BestConcurrency.Found;
import io.throughputoptimizer.core.steady.DisaggregatedFigures;
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
        Stock stock = problem.stock(
                kinds, prefill.layout().deviceCount(), decode.layout().deviceCount());
        List<Searched> searched = stock.counts().stream()
                .map(counts -> search(new PricedPair(problem, prefill, decode, counts)))
                .toList();
        if (!searched.isEmpty()) {
            keep(searched);
        }
        effort.candidateDone();
    }

    private Searched search(PricedPair pair) {
        Found found = pair.search(effort::failWhenCancelled);
        effort.evaluated(found.evaluations());
        return new Searched(pair, found);
    }

    /// @param searched one pair of layouts in all numbers
    private void keep(List<Searched> searched) {
        List<PairRow> found = searched.stream()
                .flatMap(one -> row(one).stream())
                .sorted(betterFirst.thenComparingDouble(PairSearch::tokensPerDevice))
                .toList();
        rows.addAll(withMost(problem.countsInstances() ? found.stream().limit(1).toList() : found, found));
        PricedPair first = searched.getFirst().pair();
        if (found.isEmpty()) {
            broken.add(new BrokenPair(
                    first.arrangement(),
                    first.leastConcurrency(),
                    searched.getFirst().found().breaches()));
        } else {
            effort.used(first.prefill().pass());
            effort.used(first.decode().pass());
        }
        keepPoints(
                searched,
                found.isEmpty() ? first.counts() : found.getFirst().at().counts());
    }

    private Optional<PairRow> row(Searched searched) {
        effort.failWhenCancelled();
        return searched.found.best() instanceof DisaggregatedFigures best
                ? Optional.of(searched.pair.row(best))
                : Optional.empty();
    }

    /// Numbers of the same layouts that are equal by the objective: the most tokens per second and device that works
    /// first.
    private static double tokensPerDevice(PairRow row) {
        return -row.at().figures().outputTokensPerSecond() / row.at().devicesUsed();
    }

    /// @param found the same layouts in all numbers that were tried
    private static List<PairRow> withMost(List<PairRow> shown, List<PairRow> found) {
        Optional<PairPoint> most = found.stream()
                .map(PairRow::at)
                .max(Comparator.comparingDouble((PairPoint at) -> at.figures().requestsPerSecond())
                        .thenComparingInt(at -> -at.devicesUsed()));
        return shown.stream().map(row -> row.withMost(most.orElse(row.at()))).toList();
    }

    private void keepPoints(List<Searched> searched, InstanceCounts shown) {
        for (Searched one : searched) {
            if (one.pair.counts().equals(shown)) {
                one.found.tried().stream()
                        .map(tried -> new TriedPoint<>(
                                one.pair.point((DisaggregatedFigures) tried.figures()), tried.withinLimits()))
                        .forEach(points::add);
            } else {
                pointsLeftOut += one.found.tried().size();
            }
        }
    }

    /// A pair of layouts in some numbers, and what was found of it.
    private record Searched(PricedPair pair, Found found) {}
}
