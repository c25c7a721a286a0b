package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Explanation.PairsFrontier;
import io.throughputoptimizer.core.explain.Explanation.PointOfPair;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.PairCandidates;
import io.throughputoptimizer.core.search.PairObjective;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.space.Candidate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// The Pareto frontier of prefill and decode pairs over all layouts, sizes and batch sizes of each phase, with
/// the best counts for each pair.
///
/// TTFT depends on prefill and TPOT on decode, so almost any two non-dominated phases form a non-dominated
/// pair. The frontier therefore shows the cost of each limit given the other: of the pairs within the TTFT
/// limit, those not dominated in throughput and TPOT; of the pairs within the TPOT limit, those not dominated
/// in throughput and TTFT with the transfer. A limit that no instance meets is ignored. Throughput is the
/// objective of pairs ([PairCandidates#delivery()]). Each point is thus the best plan for a limit equal to its
/// latency.
///
/// With an end-to-end latency limit, which a pair shares, the frontier also contains the pairs not dominated in
/// throughput and end-to-end latency. Of sides whose rates differ by less than 1%, one is tried.
///
/// Throughput grows with the rate of each side. Among instances of one size with the same KV transfer partners,
/// a side with a lower rate and no lower latency is therefore in no such pair. With a limit on one side, only
/// the highest rate within it matters.
record PairFrontier(Demand demand, PairCandidates sides, ExplanationSearch inquiry) {

    private static final double SPACE = 0.01;

    private static final Comparator<Point> HIGHEST_RATE_FIRST = Comparator.comparingDouble(
                    (Point point) -> -point.side.countedRequestsPerS())
            .thenComparingDouble(point -> point.side.latencyMillis());

    /// One side of a pair.
    ///
    /// @param withinLimits true if it meets the limits of its phase, TTFT including the transfer
    record Point(Side side, boolean withinLimits) {}

    /// Key of instances with the same partners: equal size, weights, drafts and KV cache type.
    private record Sort(int deviceCount, int draftTokens, Object quantization) {
        private static Sort of(Point point) {
            Candidate candidate = point.side.candidate();
            return new Sort(
                    point.side.deviceCount(),
                    candidate.draftTokens(),
                    candidate.deployment().quantization());
        }
    }

    /// @param delivered throughput, negated so that less is better
    private record Pair(
            PointOfPair point, double delivered, double ttftMillis, double tpotMillis, double answerMillis) {}

    PairsFrontier of(List<Point> prefill, List<Point> decode) {
        Set<PointOfPair> points = new LinkedHashSet<>();
        points.addAll(unbeaten(pairs(mostWithin(prefill), unbeatenSides(decode)), Pair::tpotMillis));
        points.addAll(unbeaten(pairs(unbeatenSides(prefill), mostWithin(decode)), Pair::ttftMillis));
        if (sides.shareAnswers()) {
            points.addAll(
                    unbeaten(pairs(spaced(unbeatenSides(prefill)), spaced(unbeatenSides(decode))), Pair::answerMillis));
        }
        double tokens = demand.workload().outputs().mean();
        return new PairsFrontier(
                PairObjective.of(demand),
                tokens,
                points.stream()
                        .sorted(Comparator.comparingDouble(
                                point -> -together(point.row()).requestsPerS()))
                        .toList());
    }

    /// Returns the highest rate within the limits for each sort; the highest rate overall if no instance is
    /// within them.
    private static Collection<Point> mostWithin(List<Point> points) {
        boolean any = points.stream().anyMatch(Point::withinLimits);
        Map<Sort, Point> most = new LinkedHashMap<>();
        points.stream()
                .filter(point -> point.withinLimits || !any)
                .forEach(point -> most.merge(
                        Sort.of(point), point, (old, now) -> HIGHEST_RATE_FIRST.compare(now, old) < 0 ? now : old));
        return most.values();
    }

    /// Thins non-dominated sides: keeps those whose rate is at least 1% below the last one kept of their sort.
    private static Collection<Point> spaced(Collection<Point> unbeaten) {
        Map<Sort, Point> last = new LinkedHashMap<>();
        return unbeaten.stream()
                .filter(point -> {
                    Point before = last.get(Sort.of(point));
                    boolean kept = before == null
                            || point.side.countedRequestsPerS() <= before.side.countedRequestsPerS() * (1 - SPACE);
                    if (kept) {
                        last.put(Sort.of(point), point);
                    }
                    return kept;
                })
                .toList();
    }

    /// Returns the sides of each sort that are not dominated in rate and latency.
    private static Collection<Point> unbeatenSides(List<Point> points) {
        Map<Sort, List<Point>> sorts = new LinkedHashMap<>();
        points.forEach(point ->
                sorts.computeIfAbsent(Sort.of(point), _ -> new ArrayList<>()).add(point));
        return sorts.values().stream()
                .flatMap(sort ->
                        steps(sort.stream().sorted(HIGHEST_RATE_FIRST), point -> point.side.latencyMillis()).stream())
                .toList();
    }

    private List<Pair> pairs(Collection<Point> prefill, Collection<Point> decode) {
        PairObjective delivery = sides.delivery();
        List<Pair> pairs = new ArrayList<>();
        for (Point one : prefill) {
            for (Point other : decode) {
                inquiry.failWhenCancelled();
                if (one.side.candidate().hands(other.side.candidate())) {
                    sides.together(one.side, other.side)
                            .map(row -> pair(
                                    row,
                                    delivery,
                                    one.withinLimits && other.withinLimits && sides.keep(one.side, other.side)))
                            .ifPresent(pairs::add);
                }
            }
        }
        return pairs;
    }

    private Pair pair(PdRatioRow row, PairObjective delivery, boolean withinLimits) {
        double delivered = delivery.value(row).orElse(Double.POSITIVE_INFINITY);
        return new Pair(
                new PointOfPair(row, withinLimits),
                delivery.objective().isCost() ? delivered : -delivered,
                together(row).ttftMillis(),
                row.decode().latencyMillis(),
                sides.answerMillis(row.prefill(), row.decode()));
    }

    private static List<PointOfPair> unbeaten(List<Pair> pairs, ToDoubleFunction<Pair> latency) {
        return steps(
                        pairs.stream()
                                .sorted(Comparator.comparingDouble(Pair::delivered)
                                        .thenComparingDouble(latency)
                                        .thenComparingDouble(Pair::ttftMillis)
                                        .thenComparingDouble(Pair::tpotMillis)),
                        latency)
                .stream()
                .map(Pair::point)
                .toList();
    }

    /// Returns the elements with a lower latency than all before them.
    static <T> List<T> steps(Stream<T> sorted, ToDoubleFunction<T> latency) {
        List<T> steps = new ArrayList<>();
        sorted.forEach(one -> {
            if (steps.isEmpty() || latency.applyAsDouble(one) < latency.applyAsDouble(steps.getLast())) {
                steps.add(one);
            }
        });
        return steps;
    }

    private static PdRatioRow.Together together(PdRatioRow row) {
        return Objects.requireNonNull(row.together(), "a pair without numbers of instances");
    }
}
