package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.measured.MeasuredResult.BrokenLimits;
import io.throughputoptimizer.core.measured.MeasuredResult.Impossible;
import io.throughputoptimizer.core.measured.MeasuredResult.Rejection;
import io.throughputoptimizer.core.search.Workers;
import io.throughputoptimizer.core.search.space.KvTransfer.Handover;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Search of disaggregated deployments on one kind of device, or with prefill and decode on separate kinds: all
/// pairs of layouts in all counts that leave no space for another instance, or of all sizes in their best
/// counts; each at its best concurrency, ranked by the objective, by default tokens per second and busy device.
final class PairSearch {
    private final MeasuredProblem problem;
    private final SteadyTerms terms;
    private final Comparator<MeasuredRow> betterFirst;
    private final Pairing sizes;
    private final Kinds kinds;
    private final SearchEffort effort;

    PairSearch(MeasuredProblem problem, Pairing sizes, Kinds kinds, SearchEffort effort) {
        this.problem = problem;
        this.terms = problem.terms();
        this.betterFirst = Comparator.comparing(MeasuredRow::at, problem.betterFirst(problem.device(kinds.prefill())));
        this.sizes = sizes;
        this.kinds = kinds;
        this.effort = effort;
    }

    MeasuredResult.Found run(Workers workers) {
        List<Rejection> rejections = new ArrayList<>();
        List<SiliconDeployment> feeding =
                deployments(kinds.prefill(), sizes.prefillSizes(kinds.prefill(), problem.available()), Phase.PREFILL);
        List<SiliconDeployment> fed =
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
            Optional<Obstacle> obstacle = deployment.servingObstacle();
            if (obstacle.isPresent()) {
                rejections.add(new Impossible(
                        new Arrangement.Side(deployment.form(), decode),
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
                new Arrangement.Side(instance.deployment().form(), false), instance, 1, List.of(breach))));
        return lack.isEmpty();
    }

    private Outcome outcome(PricedInstance prefill, PricedInstance decode) {
        Outcome outcome = new Outcome(effort.ofPart());
        effort.failWhenCancelled();
        Stock stock = problem.stock(
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
        Comparator<MeasuredRow> order = betterFirst.thenComparingDouble(PairSearch::tokensPerDevice);
        List<MeasuredRow> found =
                searched.stream().flatMap(one -> row(one).stream()).toList();
        List<MeasuredRow> shown = problem.countsInstances()
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

    private Optional<MeasuredRow> row(Searched searched) {
        effort.failWhenCancelled();
        return searched.pair.best(searched.found);
    }

    /// Returns the tie breaker between counts of the same layouts with equal objective: most tokens per second
    /// and busy device first.
    private static double tokensPerDevice(MeasuredRow row) {
        return -row.at().figures().outputTokensPerSecond() / row.at().devices();
    }

    /// Returns the rows with the counts of the highest throughput.
    ///
    /// @param shown rows to extend
    /// @param found same layouts in all tried counts
    /// @param order tie breaker between counts of equal throughput and devices
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

    private static void keepPoints(List<Searched> searched, Arrangement shown, Outcome outcome) {
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
