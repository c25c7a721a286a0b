package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.CalibratedFrontier.Tried;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.Breach.Limit;
import io.throughputoptimizer.core.search.Objective;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/// The cost of each limit given the other, for calibrated pairs of several sizes in all counts, as in
/// [PairFrontier]. Of the points within the TTFT limit, those not dominated in throughput and TPOT; of the
/// points within the TPOT limit, those not dominated in throughput and TTFT. A limit that no point meets is
/// ignored.
///
/// For fixed counts every objective grows with tokens per second, so each pair contributes only such points to
/// the comparison.
final class CalibratedPairFrontier {
    private final CalibratedQuestion question;
    private final LimitMargins standings;
    private final List<Point> ofTpot = new ArrayList<>();
    private final List<Point> ofTtft = new ArrayList<>();

    /// @param keepsTtft true if it meets the TTFT limit
    /// @param keepsTpot true if it meets the TPOT limit
    private record Point(Tried tried, boolean keepsTtft, boolean keepsTpot) {}

    CalibratedPairFrontier(CalibratedQuestion question, LimitMargins standings) {
        this.question = question;
        this.standings = standings;
    }

    /// Adds all points of one pair with fixed counts.
    void add(List<Tried> pair) {
        List<Point> points = pair.stream()
                .sorted(CalibratedFrontier.BY_RATE)
                .map(this::point)
                .toList();
        for (boolean limited : List.of(true, false)) {
            ofTpot.addAll(PairFrontier.steps(
                    points.stream().filter(point -> point.keepsTtft || !limited), CalibratedPairFrontier::tpot));
            ofTtft.addAll(PairFrontier.steps(
                    points.stream().filter(point -> point.keepsTpot || !limited), CalibratedPairFrontier::ttft));
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

    /// Returns the Pareto frontier of all pairs, unordered.
    Collection<Tried> unbeaten() {
        Set<Tried> unbeaten = new LinkedHashSet<>();
        unbeaten.addAll(unbeaten(ofTpot, Point::keepsTtft, CalibratedPairFrontier::tpot));
        unbeaten.addAll(unbeaten(ofTtft, Point::keepsTpot, CalibratedPairFrontier::ttft));
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
