package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.FleetExplanation.FrontierPoint;
import io.throughputoptimizer.core.fleet.PricedReplicas;
import io.throughputoptimizer.core.steady.SteadyFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What replicas on a measured device can deliver at all: the points that no other one beats in tokens per second,
/// TTFT and TPOT together, over all layouts and all concurrencies of a rank that a search would try.
record FleetFrontier(FleetQuestion question) {
    private static final Comparator<Tried> BY_RATE = Comparator.comparingDouble(Tried::rate)
            .reversed()
            .thenComparingDouble(Tried::ttft)
            .thenComparingDouble(one -> one.figures.tpotMillis());

    private record Tried(PricedReplicas replicas, SteadyFigures figures) {
        private double rate() {
            return figures.outputTokensPerSecond() * replicas.ranks();
        }

        private double ttft() {
            return figures.ttft().benchmarkMillis();
        }

        private boolean isNoWorse(Tried other) {
            return rate() >= other.rate()
                    && ttft() <= other.ttft()
                    && figures.tpotMillis() <= other.figures.tpotMillis();
        }
    }

    /// By falling tokens per second.
    List<FrontierPoint> points(Inquiry inquiry) {
        List<Tried> tried = new ArrayList<>();
        question.problem()
                .layouts()
                .forEach(layout -> PricedReplicas.of(question.problem(), layout)
                        .ifPresent(replicas -> tried.addAll(tried(replicas, inquiry))));
        List<Tried> unbeaten = new ArrayList<>();
        // Sorted so, a point can be beaten by an earlier one only.
        tried.stream().sorted(BY_RATE).forEach(point -> {
            if (unbeaten.stream().noneMatch(better -> better.isNoWorse(point))) {
                unbeaten.add(point);
            }
        });
        return unbeaten.stream()
                .map(point -> new FrontierPoint(
                        point.replicas.point(point.figures),
                        question.limits().breaches(point.figures).isEmpty()))
                .toList();
    }

    private static List<Tried> tried(PricedReplicas replicas, Inquiry inquiry) {
        List<Tried> tried = new ArrayList<>();
        for (int concurrency = replicas.leastConcurrency(); concurrency <= replicas.mostConcurrency(); concurrency++) {
            inquiry.countPoint();
            if (replicas.at(concurrency) instanceof SteadyFigures figures) {
                tried.add(new Tried(replicas, figures));
            }
        }
        return tried;
    }
}
