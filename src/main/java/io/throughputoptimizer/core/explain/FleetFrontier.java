package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.explain.FleetExplanation.FrontierPoint;
import io.throughputoptimizer.core.fleet.PricedReplicas;
import io.throughputoptimizer.core.silicon.SiliconMemory;
import io.throughputoptimizer.core.steady.LawOutcome;
import io.throughputoptimizer.core.steady.SteadyFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

    /// What was found of all layouts.
    ///
    /// @param unbeaten by falling tokens per second
    /// @param least that each layout reaches; none of one that was not tried
    record Reached(List<FrontierPoint> unbeaten, Map<ParallelLayout, Least> least) {}

    Reached of(Inquiry inquiry) {
        List<Tried> tried = new ArrayList<>();
        Map<ParallelLayout, Least> least = new HashMap<>();
        question.problem()
                .layouts()
                .forEach(layout -> PricedReplicas.of(question.problem(), layout)
                        .ifPresent(replicas -> tryAll(replicas, inquiry, tried, least)));
        return new Reached(unbeaten(tried), least);
    }

    private List<FrontierPoint> unbeaten(List<Tried> tried) {
        List<Tried> unbeaten = new ArrayList<>();
        // Sorted so, a point can be beaten by an earlier one only.
        tried.stream().sorted(BY_RATE).forEach(point -> {
            if (unbeaten.stream().noneMatch(better -> better.isNoWorse(point))) {
                unbeaten.add(point);
            }
        });
        return unbeaten.stream()
                .map(point -> new FrontierPoint(
                        point.replicas.pointAt((int) point.figures.concurrency()),
                        question.limits().breaches(point.figures).isEmpty()))
                .toList();
    }

    private void tryAll(PricedReplicas replicas, Inquiry inquiry, List<Tried> tried, Map<ParallelLayout, Least> least) {
        for (int concurrency = replicas.leastConcurrency(); concurrency <= replicas.mostConcurrency(); concurrency++) {
            inquiry.countPoint();
            LawOutcome outcome = replicas.at(concurrency);
            if (outcome instanceof SteadyFigures figures) {
                tried.add(new Tried(replicas, figures));
            }
            ParallelLayout layout = replicas.deployment().layout();
            least.put(layout, Least.of(least.get(layout), least(replicas, concurrency, outcome)));
        }
    }

    /// Where not one request fits, only the memory of one is known.
    private Least least(PricedReplicas replicas, int concurrency, LawOutcome outcome) {
        return outcome instanceof SteadyFigures figures
                ? Least.at(
                        concurrency,
                        question.ttftMillis(figures),
                        figures.tpotMillis(),
                        memoryBytes(replicas, figures.steps().running()))
                : Least.at(concurrency, null, null, memoryBytes(replicas, 1));
    }

    private double memoryBytes(PricedReplicas replicas, double running) {
        SiliconMemory memory = SiliconMemory.of(replicas.deployment());
        return memory.weightBytes()
                + running * question.problem().demand().traffic().mean().cachedTokens() * memory.cacheBytesPerToken();
    }
}
