package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.calibrated.CalibratedPoint.TriedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedResult.BrokenLimits;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Impossible;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Rejection;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.load.BestConcurrency.Found;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Search of disaggregated deployments on one kind of device, or with prefill and decode on separate kinds: all
/// pairs of layouts in all counts that leave no space for another instance, or of all sizes in their best
/// counts; each at its best concurrency, ranked by the objective, by default tokens per second and busy device.
final class PairSearch {
    private final CalibratedProblem problem;
    private final SteadyTerms terms;
    private final Comparator<CalibratedRow> betterFirst;
    private final Pairing sizes;
    private final Kinds kinds;
    private final SearchEffort effort;

    PairSearch(CalibratedProblem problem, Pairing sizes, Kinds kinds, SearchEffort effort) {
        this.problem = problem;
        this.terms = problem.terms();
        this.betterFirst =
                Comparator.comparing(CalibratedRow::at, problem.betterFirst(problem.device(kinds.prefill())));
        this.sizes = sizes;
        this.kinds = kinds;
        this.effort = effort;
    }

    CalibratedResult.Found run(Workers workers) {
        List<Rejection> rejections = new ArrayList<>();
        List<CalibratedDeployment> feeding =
                deployments(kinds.prefill(), sizes.prefillSizes(kinds.prefill(), problem.available()), Phase.PREFILL);
        List<CalibratedDeployment> fed =
                deployments(kinds.decode(), sizes.decodeSizes(kinds.decode(), problem.available()), Phase.DECODE);
        List<PricedInstance> prefill = instances(kinds.prefill(), feeding, false, rejections).stream()
                .filter(instance -> holdsAPrompt(instance, rejections))
                .toList();
        List<PricedInstance> decode = instances(kinds.decode(), fed, true, rejections);
        List<Supplier<Outcome>> tasks = prefill.stream()
                .flatMap(one -> decode.stream().<Supplier<Outcome>>map(other -> () -> outcome(one, other)))
                .toList();
        Outcome all = new Outcome(effort);
        workers.run(tasks).forEach(all::add);
        long impossible = (long) feeding.size() * fed.size() - (long) prefill.size() * decode.size();
        for (long pair = 0; pair < impossible; pair++) {
            effort.candidateDone();
        }
        rejections.forEach(all::reject);
        return all.found(betterFirst);
    }

    private List<CalibratedDeployment> deployments(String name, List<Integer> devices, Phase phase) {
        return devices.stream()
                .flatMap(size -> problem.instancesApart(problem.device(name), size, phase).stream())
                .toList();
    }

    private List<PricedInstance> instances(
            String name, List<CalibratedDeployment> deployments, boolean decode, List<Rejection> rejections) {
        CalibratedDevice device = problem.device(name);
        List<PricedInstance> instances = new ArrayList<>();
        for (CalibratedDeployment deployment : deployments) {
            effort.failWhenCancelled();
            Optional<Obstacle> obstacle = deployment.servingObstacle();
            if (obstacle.isPresent()) {
                rejections.add(new Impossible(
                        new InstanceLayout.Side(deployment.form(), decode),
                        obstacle.get().reason()));
            } else {
                instances.add(PricedInstance.of(deployment, device, decode ? Phase.DECODE : Phase.PREFILL, terms));
            }
        }
        return instances;
    }

    private boolean holdsAPrompt(PricedInstance instance, List<Rejection> rejections) {
        Optional<Breach> lack = instance.lackOfRoomForAPrompt(terms.request());
        lack.ifPresent(breach -> rejections.add(BrokenLimits.of(
                new InstanceLayout.Side(instance.deployment().form(), false), instance, 1, List.of(breach))));
        return lack.isEmpty();
    }

    private Outcome outcome(PricedInstance prefill, PricedInstance decode) {
        Outcome outcome = new Outcome(effort.ofPart());
        effort.failWhenCancelled();
        DeviceInventory stock = problem.stock(
                kinds, prefill.layout().deviceCount(), decode.layout().deviceCount());
        Handover handover = decode.handover(sizes.transfer(), terms);
        List<Searched> searched = stock.counts().stream()
                .map(counts -> search(new PricedPair(terms, prefill, decode, counts, handover), outcome))
                .toList();
        if (!searched.isEmpty()) {
            keep(searched, outcome);
        }
        effort.candidateDone();
        return outcome;
    }

    private Searched search(PricedPair pair, Outcome outcome) {
        Found found = pair.search(effort::failWhenCancelled);
        outcome.effort().evaluated(found.evaluations());
        return new Searched(pair, found);
    }

    /// Adds the results of a pair of layouts.
    ///
    /// @param searched one pair of layouts in all counts
    private void keep(List<Searched> searched, Outcome outcome) {
        Comparator<CalibratedRow> order = betterFirst.thenComparingDouble(PairSearch::tokensPerDevice);
        List<CalibratedRow> found =
                searched.stream().flatMap(one -> row(one).stream()).toList();
        List<CalibratedRow> shown = problem.countsInstances()
                ? found.stream().min(order).stream().toList()
                : found.stream().sorted(order).toList();
        effort.failWhenCancelled();
        outcome.rows(withMost(shown, found, order));
        PricedPair first = searched.getFirst().pair();
        if (found.isEmpty()) {
            outcome.reject(new BrokenLimits(
                    first.arrangement(),
                    first.leastConcurrency(),
                    searched.getFirst().found().breaches(),
                    first.decode()
                            .shortage(searched.getFirst().found().breaches())
                            .orElse(null)));
        } else {
            outcome.effort().used(first.prefill().pass());
            outcome.effort().used(first.decode().pass());
        }
        keepPoints(
                searched,
                shown.isEmpty() ? first.arrangement() : shown.getFirst().at().arrangement(),
                outcome);
    }

    private Optional<CalibratedRow> row(Searched searched) {
        effort.failWhenCancelled();
        return searched.pair.best(searched.found);
    }

    /// Returns the tie breaker between counts of the same layouts with equal objective: most tokens per second
    /// and busy device first.
    private static double tokensPerDevice(CalibratedRow row) {
        return -row.at().figures().outputTokensPerSecond() / row.at().devices();
    }

    /// Returns the rows with the counts of the highest throughput.
    ///
    /// @param shown rows to extend
    /// @param found same layouts in all tried counts
    /// @param order tie breaker between counts of equal throughput and devices
    private static List<CalibratedRow> withMost(
            List<CalibratedRow> shown, List<CalibratedRow> found, Comparator<CalibratedRow> order) {
        Optional<CalibratedPoint> most = found.stream()
                .max(Comparator.comparingDouble(
                                (CalibratedRow row) -> row.at().figures().requestsPerSecond())
                        .thenComparingInt(row -> -row.at().devices())
                        .thenComparing(order.reversed()))
                .map(CalibratedRow::at);
        return shown.stream().map(row -> row.withMost(most.orElse(row.at()))).toList();
    }

    private static void keepPoints(List<Searched> searched, InstanceLayout shown, Outcome outcome) {
        for (Searched one : searched) {
            if (one.pair.arrangement().equals(shown)) {
                Function<SteadyFigures, @Nullable SteadyFigures> captured = one.pair.captured();
                one.found.tried().stream()
                        .map(tried -> new TriedPoint(one.pair.point(tried.figures(), captured), tried.withinLimits()))
                        .forEach(outcome::point);
            } else {
                outcome.leaveOut(one.found.tried().size());
            }
        }
    }

    /// A pair of layouts in some counts, and its search result.
    private record Searched(PricedPair pair, Found found) {}
}
