package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Explanation.PairsFrontier;
import io.throughputoptimizer.core.explain.Explanation.PointOfPair;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.PairObjective;
import io.throughputoptimizer.core.search.PairSides;
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

/// What pairs of prefill and decode instances can deliver at all, over all layouts, sizes and batch sizes of each side
/// and in the numbers that are best for each pair.
///
/// TTFT is a matter of prefill and TPOT one of decode, so that almost any two that are not beaten on their own side
/// are not beaten together. Shown is therefore what each limit costs beside the other: of the pairs that keep the TTFT
/// limit those that no other one beats in delivery and TPOT, and of those that keep the TPOT limit those that no other
/// one beats in delivery and TTFT with the transfer. A limit that no instance keeps is left aside. Delivery is what
/// pairs are ranked by ([PairSides#delivery()]). Each point so is the best that a search delivers whose limit is its
/// latency.
///
/// Beside a limit on whole answers, which a pair keeps together, also those that no other one beats in delivery and in
/// the time of an answer; of sides that differ by less than a hundredth in rate one.
///
/// What numbers of instances deliver grows with the rate of each side. Of instances of one size that can hand over to
/// the same, a side that has a lower rate and is not faster is therefore in no such pair, and beside a limit on one
/// side only the highest rate that keeps it.
record PairFrontier(Demand demand, PairSides sides, Inquiry inquiry) {

    private static final double SPACE = 0.01;

    private static final Comparator<Point> HIGHEST_RATE_FIRST = Comparator.comparingDouble(
                    (Point point) -> -point.side.countedQps())
            .thenComparingDouble(point -> point.side.latencyMillis());

    /// One side.
    ///
    /// @param withinLimits whether it keeps the limits of its phase, that on TTFT with the transfer
    record Point(Side side, boolean withinLimits) {}

    /// Instances of one size that can share requests with the same ones: of the same weights, drafts and type of cache.
    private record Sort(int deviceCount, int draftTokens, Object quantization) {
        private static Sort of(Point point) {
            Candidate candidate = point.side.candidate();
            return new Sort(
                    point.side.deviceCount(),
                    candidate.draftTokens(),
                    candidate.deployment().quantization());
        }
    }

    /// @param delivered so that less is better
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
                                point -> -together(point.row()).qps()))
                        .toList());
    }

    /// Of each sort the highest rate within the limits; where no instance is within them, the highest of all.
    private static Collection<Point> mostWithin(List<Point> points) {
        boolean any = points.stream().anyMatch(Point::withinLimits);
        Map<Sort, Point> most = new LinkedHashMap<>();
        points.stream()
                .filter(point -> point.withinLimits || !any)
                .forEach(point -> most.merge(
                        Sort.of(point), point, (old, now) -> HIGHEST_RATE_FIRST.compare(now, old) < 0 ? now : old));
        return most.values();
    }

    /// Of unbeaten sides those whose rate is by a hundredth more than that of the next.
    private static Collection<Point> spaced(Collection<Point> unbeaten) {
        Map<Sort, Point> last = new LinkedHashMap<>();
        return unbeaten.stream()
                .filter(point -> {
                    Point before = last.get(Sort.of(point));
                    boolean kept = before == null || point.side.countedQps() <= before.side.countedQps() * (1 - SPACE);
                    if (kept) {
                        last.put(Sort.of(point), point);
                    }
                    return kept;
                })
                .toList();
    }

    /// Of each sort those that no other one beats in rate and latency.
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

    /// Of what is sorted by one figure those that are better in another than all before.
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
