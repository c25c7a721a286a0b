package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.MeasuredFrontier.Tried;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.steady.Breach;
import io.throughputoptimizer.core.steady.Breach.Limit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/// What each limit costs beside the other, of measured pairs of several sizes in all numbers, as [PairFrontier] has it:
/// of the points that keep the TTFT limit those that no other one beats in delivery and TPOT, and of those that keep
/// the TPOT limit those that no other one beats in delivery and TTFT. A limit that no point keeps is left aside.
///
/// In the same numbers all that pairs are ranked by grows with tokens per second, so that of each pair only such points
/// are kept for the comparison of all.
final class MeasuredPairFrontier {
    private final MeasuredQuestion question;
    private final Standings standings;
    private final List<Point> ofTpot = new ArrayList<>();
    private final List<Point> ofTtft = new ArrayList<>();

    /// @param keepsTtft whether it keeps that limit
    /// @param keepsTpot whether it keeps that limit
    private record Point(Tried tried, boolean keepsTtft, boolean keepsTpot) {}

    MeasuredPairFrontier(MeasuredQuestion question, Standings standings) {
        this.question = question;
        this.standings = standings;
    }

    /// All that was tried of one pair in the same numbers.
    void add(List<Tried> pair) {
        List<Point> points =
                pair.stream().sorted(MeasuredFrontier.BY_RATE).map(this::point).toList();
        for (boolean limited : List.of(true, false)) {
            ofTpot.addAll(PairFrontier.steps(
                    points.stream().filter(point -> point.keepsTtft || !limited), MeasuredPairFrontier::tpot));
            ofTtft.addAll(PairFrontier.steps(
                    points.stream().filter(point -> point.keepsTpot || !limited), MeasuredPairFrontier::ttft));
        }
    }

    private Point point(Tried tried) {
        List<Breach> breaches = standings
                .of(tried.serving(), tried.concurrency(), tried.figures())
                .breaches();
        return new Point(tried, keeps(breaches, Limit.TTFT_MILLIS), keeps(breaches, Limit.TPOT_MILLIS));
    }

    private static boolean keeps(List<Breach> breaches, Limit limit) {
        return breaches.stream().noneMatch(breach -> breach.limit() == limit);
    }

    /// Those of all pairs, in no order.
    Collection<Tried> unbeaten() {
        Set<Tried> unbeaten = new LinkedHashSet<>();
        unbeaten.addAll(unbeaten(ofTpot, Point::keepsTtft, MeasuredPairFrontier::tpot));
        unbeaten.addAll(unbeaten(ofTtft, Point::keepsTpot, MeasuredPairFrontier::ttft));
        return unbeaten;
    }

    private List<Tried> unbeaten(List<Point> points, Predicate<Point> keeps, ToDoubleFunction<Point> latency) {
        boolean any = points.stream().anyMatch(keeps);
        Objective objective = question.objective().prefersFewRequests()
                ? new Objective.TokensPerSecondPerDevice()
                : question.objective();
        String device = question.device().name();
        record Ordered(Point point, double order) {}
        return PairFrontier.steps(
                        points.stream()
                                .filter(point -> !any || keeps.test(point))
                                .map(point -> {
                                    standings.failWhenCancelled();
                                    return new Ordered(
                                            point,
                                            objective.order(point.tried
                                                    .serving()
                                                    .pointAt(point.tried.concurrency())
                                                    .delivered(device)));
                                })
                                .sorted(Comparator.comparingDouble(Ordered::order)
                                        .thenComparingDouble(one -> latency.applyAsDouble(one.point))),
                        one -> latency.applyAsDouble(one.point))
                .stream()
                .map(one -> one.point.tried)
                .toList();
    }

    private static double tpot(Point point) {
        return point.tried.figures().tpotMillis();
    }

    private static double ttft(Point point) {
        return point.tried.ttft();
    }
}
