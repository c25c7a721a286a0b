package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.calibrated.CalibratedPoint.TriedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedServing;
import io.throughputoptimizer.core.calibrated.InstanceLayout;
import io.throughputoptimizer.core.explain.Binding.BestReachable;
import io.throughputoptimizer.core.explain.LimitMargins.Standing;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.memory.RankMemory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.IntFunction;

/// The Pareto frontier of a calibrated device over all arrangements, in tokens per second, tokens per second
/// per working device, TTFT and TPOT. Replicas use all devices, so both throughputs rank alike; pairs can leave
/// devices idle.
///
/// Pairs of several sizes are compared in two figures at a time ([CalibratedPairFrontier]) because of their
/// number.
///
/// Every concurrency is tried up to twice [#SINGLY]; above it each is 1/512 larger than the last. Concurrencies
/// of rows are always included. If each requires a simulation, fewer are tried: about [#SIMULATED] per device.
record CalibratedFrontier(CalibratedQuestion question, LimitMargins standings) {
    private static final int SINGLY = 512;
    private static final int SINGLY_OF_BEST = 32;
    private static final int SINGLY_SIMULATED = 16;
    private static final int SIMULATED = 400;
    static final Comparator<Tried> BY_RATE = Comparator.comparingDouble(Tried::rate)
            .reversed()
            .thenComparingDouble(Tried::ttft)
            .thenComparingDouble(one -> one.figures.tpotMillis())
            .thenComparingDouble(one -> -one.ratePerDevice());

    /// A concurrency that fits in memory, with its figures.
    record Tried(CalibratedServing serving, int concurrency, SteadyFigures figures) {
        private double rate() {
            return serving.tokensPerSecond(figures);
        }

        private double ratePerDevice() {
            return rate() / serving.instances().devices();
        }

        double ttft() {
            return figures.ttftMillis(serving.terms().limits().basis());
        }

        private boolean isNoWorse(Tried other) {
            return rate() >= other.rate()
                    && ratePerDevice() >= other.ratePerDevice()
                    && ttft() <= other.ttft()
                    && figures.tpotMillis() <= other.figures.tpotMillis();
        }
    }

    /// Results of all arrangements.
    ///
    /// @param unbeaten Pareto frontier by descending tokens per second
    /// @param least best achievable figures by arrangement; no entry if it was not tried
    record Reached(List<TriedPoint> unbeaten, Map<InstanceLayout, BestReachable> least) {}

    /// @param servings arrangements that have a price
    /// @param rows concurrencies of the rows
    Reached of(Collection<CalibratedServing> servings, Map<InstanceLayout, Integer> rows, ExplanationSearch inquiry) {
        List<Tried> unbeaten = new ArrayList<>();
        CalibratedPairFrontier pairs = new CalibratedPairFrontier(question, standings);
        boolean counts = question.problem().countsInstances();
        Map<InstanceLayout, BestReachable> least = new HashMap<>();
        int singly = singly(servings);
        for (CalibratedServing serving : servings) {
            List<Tried> tried = new ArrayList<>();
            IntFunction<LawOutcome> law = serving.outcomes();
            InstanceLayout arrangement = serving.arrangement();
            double next = 0;
            for (int concurrency : concurrencies(serving, rows, singly)) {
                if (concurrency < next && !Objects.equals(rows.get(arrangement), concurrency)) {
                    continue;
                }
                inquiry.countPoint();
                LawOutcome outcome = law.apply(concurrency);
                if (outcome instanceof SteadyFigures figures) {
                    tried.add(new Tried(serving, concurrency, figures));
                    next = figures.simulated() == null ? 0 : concurrency * (1 + 1.0 / SINGLY_OF_BEST);
                }
                least.merge(arrangement, least(serving, concurrency, outcome), BestReachable::of);
            }
            if (counts) {
                pairs.add(tried);
            } else {
                add(tried, unbeaten);
            }
        }
        unbeaten.addAll(pairs.unbeaten());
        return new Reached(unbeaten.stream().sorted(BY_RATE).map(this::shown).toList(), least);
    }

    private int singly(Collection<CalibratedServing> servings) {
        if (!standings.areSimulated()) {
            return question.problem().scan() == ConcurrencySampling.EVERY_SUMMIT ? SINGLY : SINGLY_OF_BEST;
        }
        int singly = SINGLY_SIMULATED;
        while (singly > 1 && tries(servings, singly) > SIMULATED) {
            singly /= 2;
        }
        return singly;
    }

    private long tries(Collection<CalibratedServing> servings, int singly) {
        return servings.stream()
                .mapToLong(serving -> {
                    standings.failWhenCancelled();
                    return concurrencies(serving, Map.of(), singly).size();
                })
                .sum();
    }

    private static Collection<Integer> concurrencies(
            CalibratedServing serving, Map<InstanceLayout, Integer> rows, int singly) {
        TreeSet<Integer> concurrencies = new TreeSet<>();
        long most = serving.mostConcurrency();
        for (long one = serving.leastConcurrency(); one <= most; one += Math.max(1, one / singly)) {
            concurrencies.add((int) one);
        }
        Integer best = rows.get(serving.arrangement());
        if (best != null) {
            concurrencies.add(best);
        }
        return concurrencies;
    }

    /// Adds the non-dominated points of `more`. Of equal points, the first stays.
    private void add(List<Tried> more, List<Tried> unbeaten) {
        List<Tried> added = new ArrayList<>();
        // In this order a point can be dominated only by an earlier one.
        more.stream().sorted(BY_RATE).forEach(point -> {
            standings.failWhenCancelled();
            if (isUnbeaten(point, unbeaten) && isUnbeaten(point, added)) {
                added.add(point);
            }
        });
        unbeaten.removeIf(point -> !isUnbeaten(point, added));
        unbeaten.addAll(added);
    }

    private static boolean isUnbeaten(Tried point, List<Tried> others) {
        return others.stream().noneMatch(other -> other.isNoWorse(point));
    }

    private TriedPoint shown(Tried point) {
        standings.failWhenCancelled();
        return new TriedPoint(
                point.serving.pointAt(point.concurrency),
                standings
                        .of(point.serving, point.concurrency, point.figures)
                        .breaches()
                        .isEmpty());
    }

    /// Returns the figures of a concurrency; only memory, for one request, if the law has no figures.
    private BestReachable least(CalibratedServing serving, int concurrency, LawOutcome outcome) {
        Standing standing = standings.of(serving, concurrency, outcome);
        return BestReachable.at(
                concurrency,
                standing.ttftMillis(),
                standing.tpotMillis(),
                memoryBytes(
                        serving,
                        outcome instanceof SteadyFigures figures
                                ? figures.steps().running()
                                : 1));
    }

    private double memoryBytes(CalibratedServing serving, double running) {
        RankMemory memory = serving.decode().limits().memory();
        if (memory == null) {
            return 0;
        }
        double request = question.problem().demand().traffic().mean().cached(memory.cache()::heldBytes);
        return memory.weightsGib() * RankMemory.GIB + running * request;
    }
}
