package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.measured.MeasuredResult.BrokenLimits;
import io.throughputoptimizer.core.measured.MeasuredResult.Impossible;
import io.throughputoptimizer.core.measured.MeasuredResult.Rejection;
import io.throughputoptimizer.core.search.KvTransfer.Handover;
import io.throughputoptimizer.core.search.Pairing;
import io.throughputoptimizer.core.search.Pairing.Kinds;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.BestConcurrency.Found;
import io.throughputoptimizer.core.steady.Breach;
import io.throughputoptimizer.core.steady.SteadyFigures;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Prefill instances that feed decode instances on one kind of device, or each on one of its own: all pairs of layouts
/// in all numbers that leave no room for one more instance, or of all sizes in the best of all numbers; each at its
/// best concurrency, ranked by the objective, usually tokens per second and device that works. Used once, by one
/// thread.
final class PairSearch {
    private final MeasuredProblem problem;
    private final SteadyTerms terms;
    private final Comparator<MeasuredRow> betterFirst;
    private final Pairing sizes;
    private final Kinds kinds;
    private final SearchEffort effort;
    private final List<MeasuredRow> rows = new ArrayList<>();
    private final List<Rejection> broken = new ArrayList<>();
    private final List<TriedPoint> points = new ArrayList<>();
    private long pointsLeftOut;

    PairSearch(MeasuredProblem problem, Pairing sizes, Kinds kinds, SearchEffort effort) {
        this.problem = problem;
        this.terms = problem.terms();
        this.betterFirst = Comparator.comparing(MeasuredRow::at, problem.betterFirst(problem.device(kinds.prefill())));
        this.sizes = sizes;
        this.kinds = kinds;
        this.effort = effort;
    }

    MeasuredResult.Found run() {
        List<Rejection> rejections = new ArrayList<>();
        List<SiliconDeployment> feeding =
                deployments(kinds.prefill(), sizes.prefillSizes(kinds.prefill(), problem.available()), Phase.PREFILL);
        List<SiliconDeployment> fed =
                deployments(kinds.decode(), sizes.decodeSizes(kinds.decode(), problem.available()), Phase.DECODE);
        List<PricedInstance> prefill = instances(kinds.prefill(), feeding, false, rejections).stream()
                .filter(instance -> holdsAPrompt(instance, rejections))
                .toList();
        List<PricedInstance> decode = instances(kinds.decode(), fed, true, rejections);
        prefill.forEach(one -> decode.forEach(other -> search(one, other)));
        long impossible = (long) feeding.size() * fed.size() - (long) prefill.size() * decode.size();
        for (long pair = 0; pair < impossible; pair++) {
            effort.candidateDone();
        }
        rows.sort(betterFirst);
        broken.addAll(rejections);
        return new MeasuredResult.Found(List.copyOf(rows), List.copyOf(broken), List.copyOf(points), pointsLeftOut);
    }

    private List<SiliconDeployment> deployments(String name, List<Integer> devices, Phase phase) {
        return devices.stream()
                .flatMap(size -> problem.instancesApart(problem.device(name), size, phase).stream())
                .toList();
    }

    private List<PricedInstance> instances(
            String name, List<SiliconDeployment> deployments, boolean decode, List<Rejection> rejections) {
        MeasuredDevice device = problem.device(name);
        List<PricedInstance> instances = new ArrayList<>();
        for (SiliconDeployment deployment : deployments) {
            effort.failWhenCancelled();
            Optional<Obstacle> obstacle = deployment.obstacle();
            if (obstacle.isPresent()) {
                rejections.add(new Impossible(
                        new Arrangement.Side(deployment.layout(), deployment.speculation(), decode),
                        obstacle.get().reason()));
            } else {
                instances.add(PricedInstance.of(deployment, device));
            }
        }
        return instances;
    }

    private boolean holdsAPrompt(PricedInstance instance, List<Rejection> rejections) {
        Optional<Breach> lack = instance.lackOfRoomForAPrompt(terms.request());
        lack.ifPresent(breach -> rejections.add(
                new BrokenLimits(new Arrangement.Side(instance.layout(), null, false), 1, List.of(breach))));
        return lack.isEmpty();
    }

    private void search(PricedInstance prefill, PricedInstance decode) {
        effort.failWhenCancelled();
        Stock stock = problem.stock(
                kinds, prefill.layout().deviceCount(), decode.layout().deviceCount());
        Handover handover = decode.handover(sizes.transfer(), terms);
        List<Searched> searched = stock.counts().stream()
                .map(counts -> search(new PricedPair(terms, prefill, decode, counts, handover)))
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
        Comparator<MeasuredRow> order = betterFirst.thenComparingDouble(PairSearch::tokensPerDevice);
        List<MeasuredRow> found =
                searched.stream().flatMap(one -> row(one).stream()).toList();
        List<MeasuredRow> shown = problem.countsInstances()
                ? found.stream().min(order).stream().toList()
                : found.stream().sorted(order).toList();
        effort.failWhenCancelled();
        rows.addAll(withMost(shown, found, order));
        PricedPair first = searched.getFirst().pair();
        if (found.isEmpty()) {
            broken.add(new BrokenLimits(
                    first.arrangement(),
                    first.leastConcurrency(),
                    searched.getFirst().found().breaches()));
        } else {
            effort.used(first.prefill().pass());
            effort.used(first.decode().pass());
        }
        keepPoints(
                searched,
                shown.isEmpty() ? first.arrangement() : shown.getFirst().at().arrangement());
    }

    private Optional<MeasuredRow> row(Searched searched) {
        effort.failWhenCancelled();
        return searched.pair.best(searched.found);
    }

    /// Numbers of the same layouts that are equal by the objective: the most tokens per second and device that works
    /// first.
    private static double tokensPerDevice(MeasuredRow row) {
        return -row.at().figures().outputTokensPerSecond() / row.at().devices();
    }

    /// @param found the same layouts in all numbers that were tried
    /// @param order decides among numbers that serve as much on as many devices
    private static List<MeasuredRow> withMost(
            List<MeasuredRow> shown, List<MeasuredRow> found, Comparator<MeasuredRow> order) {
        Optional<MeasuredPoint> most = found.stream()
                .max(Comparator.comparingDouble(
                                (MeasuredRow row) -> row.at().figures().requestsPerSecond())
                        .thenComparingInt(row -> -row.at().devices())
                        .thenComparing(order.reversed()))
                .map(MeasuredRow::at);
        return shown.stream().map(row -> row.withMost(most.orElse(row.at()))).toList();
    }

    private void keepPoints(List<Searched> searched, Arrangement shown) {
        for (Searched one : searched) {
            if (one.pair.arrangement().equals(shown)) {
                Function<SteadyFigures, @Nullable SteadyFigures> captured = one.pair.captured();
                one.found.tried().stream()
                        .map(tried -> new TriedPoint(one.pair.point(tried.figures(), captured), tried.withinLimits()))
                        .forEach(points::add);
            } else {
                pointsLeftOut += one.found.tried().size();
            }
        }
    }

    /// A pair of layouts in some numbers, and what was found of it.
    private record Searched(PricedPair pair, Found found) {}
}
