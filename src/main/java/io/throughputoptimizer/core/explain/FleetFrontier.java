package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.FleetExplanation.FrontierPoint;
import io.throughputoptimizer.core.explain.Standings.Standing;
import io.throughputoptimizer.core.fleet.Arrangement;
import io.throughputoptimizer.core.fleet.PricedFleet;
import io.throughputoptimizer.core.silicon.SiliconMemory;
import io.throughputoptimizer.core.steady.LawOutcome;
import io.throughputoptimizer.core.steady.LawOutcome.Figures;
import io.throughputoptimizer.core.steady.Scan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// What a measured device can deliver at all: the points that no other one beats in tokens per second, tokens per
/// second and device that works, TTFT and TPOT together, over all arrangements. Replicas take all devices, so their
/// tokens per second and device rank as tokens per second do; pairs may leave some idle.
///
/// Pairs of several sizes are compared in two figures at a time ([FleetPairFrontier]), as there are very many.
///
/// Concurrencies are tried one by one up to twice [#SINGLY], from there on each 1/512 larger than the last, and beside
/// them those of the rows. Where each takes a simulation there are fewer, so that a device has some [#SIMULATED] of
/// them.
record FleetFrontier(FleetQuestion question, Standings standings) {
    private static final int SINGLY = 512;
    private static final int SINGLY_OF_BEST = 32;
    private static final int SINGLY_SIMULATED = 16;
    private static final int SIMULATED = 400;
    static final Comparator<Tried> BY_RATE = Comparator.comparingDouble(Tried::rate)
            .reversed()
            .thenComparingDouble(Tried::ttft)
            .thenComparingDouble(one -> one.figures.tpotMillis())
            .thenComparingDouble(one -> -one.ratePerDevice());

    /// A concurrency that fits in memory.
    record Tried(PricedFleet fleet, int concurrency, Figures figures) {
        private double rate() {
            return fleet.tokensPerSecond(figures);
        }

        private double ratePerDevice() {
            return rate() / fleet.devices();
        }

        double ttft() {
            return figures.ttft().benchmarkMillis();
        }

        private boolean isNoWorse(Tried other) {
            return rate() >= other.rate()
                    && ratePerDevice() >= other.ratePerDevice()
                    && ttft() <= other.ttft()
                    && figures.tpotMillis() <= other.figures.tpotMillis();
        }
    }

    /// What was found of all arrangements.
    ///
    /// @param unbeaten by falling tokens per second
    /// @param least that each arrangement reaches; none of one that was not tried
    record Reached(List<FrontierPoint> unbeaten, Map<Arrangement, Least> least) {}

    /// @param fleets that can be priced
    /// @param rows concurrencies of the rows
    Reached of(Collection<PricedFleet> fleets, Map<Arrangement, Integer> rows, Inquiry inquiry) {
        List<Tried> unbeaten = new ArrayList<>();
        FleetPairFrontier pairs = new FleetPairFrontier(question, standings);
        boolean free = question.problem().pairsFreely();
        Map<Arrangement, Least> least = new HashMap<>();
        int singly = singly(fleets);
        for (PricedFleet fleet : fleets) {
            List<Tried> tried = new ArrayList<>();
            for (int concurrency : concurrencies(fleet, rows, singly)) {
                inquiry.countPoint();
                LawOutcome outcome = fleet.at(concurrency);
                if (outcome instanceof Figures figures) {
                    tried.add(new Tried(fleet, concurrency, figures));
                }
                least.merge(fleet.arrangement(), least(fleet, concurrency, outcome), Least::of);
            }
            if (free) {
                pairs.add(tried);
            } else {
                add(tried, unbeaten);
            }
        }
        unbeaten.addAll(pairs.unbeaten());
        return new Reached(unbeaten.stream().sorted(BY_RATE).map(this::shown).toList(), least);
    }

    private int singly(Collection<PricedFleet> fleets) {
        if (!standings.areSimulated()) {
            return question.problem().scan() == Scan.EVERY_SUMMIT ? SINGLY : SINGLY_OF_BEST;
        }
        int singly = SINGLY_SIMULATED;
        while (singly > 1 && tries(fleets, singly) > SIMULATED) {
            singly /= 2;
        }
        return singly;
    }

    private long tries(Collection<PricedFleet> fleets, int singly) {
        return fleets.stream()
                .mapToLong(fleet -> {
                    standings.failWhenCancelled();
                    return concurrencies(fleet, Map.of(), singly).size();
                })
                .sum();
    }

    private static Collection<Integer> concurrencies(PricedFleet fleet, Map<Arrangement, Integer> rows, int singly) {
        TreeSet<Integer> concurrencies = new TreeSet<>();
        long most = fleet.mostConcurrency();
        for (long one = fleet.leastConcurrency(); one <= most; one += Math.max(1, one / singly)) {
            concurrencies.add((int) one);
        }
        Integer best = rows.get(fleet.arrangement());
        if (best != null) {
            concurrencies.add(best);
        }
        return concurrencies;
    }

    /// Those of more points that none beats; of equal ones the first stays.
    private void add(List<Tried> more, List<Tried> unbeaten) {
        List<Tried> added = new ArrayList<>();
        // Sorted so, a point can be beaten by an earlier one only.
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

    private FrontierPoint shown(Tried point) {
        standings.failWhenCancelled();
        return new FrontierPoint(
                point.fleet.pointAt(point.concurrency),
                standings
                        .of(point.fleet, point.concurrency, point.figures)
                        .breaches()
                        .isEmpty());
    }

    /// Where not one request fits, only the memory of one is known.
    private Least least(PricedFleet fleet, int concurrency, LawOutcome outcome) {
        Standing standing = standings.of(fleet, concurrency, outcome);
        return Least.at(
                concurrency,
                standing.ttftMillis(),
                standing.tpotMillis(),
                memoryBytes(fleet, outcome instanceof Figures figures ? fleet.running(figures) : 1));
    }

    private double memoryBytes(PricedFleet fleet, double running) {
        SiliconMemory memory = SiliconMemory.of(fleet.decoding());
        return memory.weightBytes()
                + running * question.problem().demand().traffic().mean().cachedTokens() * memory.cacheBytesPerToken();
    }
}
