package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.ExplanationSearch.Answered;
import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.search.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Plans for other device counts: half and double, the powers of two on both sides, and the nearest counts that
/// split evenly into tensor parallel groups, replicas or instances of the best plan.
///
/// Devices may stay idle: each count has at least the plan of every smaller count tried. Objectives per device
/// or per cost ignore idle devices; under them, counts that deliver less than a smaller one are omitted.
///
/// @param lever lever of the counted devices
record DeviceCounts(Question question, ExplanationSearch inquiry, Lever lever) {
    private static final int MOST_TIMES = 4;
    /// Maximum number of groups added in search of a larger even split.
    private static final int MOST_SPLITS = 4;

    /// A plan and its device count.
    private record Counted(int devices, Plan plan) {}

    /// Returns all counts with a plan, in ascending order.
    List<Answered> beside(Plan today) {
        int now = question.deviceCount(lever);
        List<Answered> found = new ArrayList<>();
        Counted best = null;
        for (int count : fewer(today.evenly())) {
            best = next(count, best, found);
        }
        if (best == null || !isBetter(best.plan, today)) {
            best = new Counted(now, today);
        }
        best = nextSplit(today.evenly(), best, found);
        for (int count : doublings(2)) {
            best = next(count, best, found);
        }
        return found;
    }

    /// Returns the smallest larger count with a plan, up to four times the current count, for a search without
    /// a plan.
    Optional<Answered> more() {
        return doublings(MOST_TIMES).stream()
                .flatMap(count -> searched(count).stream())
                .findFirst();
    }

    private TreeSet<Integer> fewer(int group) {
        int now = question.deviceCount(lever);
        TreeSet<Integer> counts = new TreeSet<>();
        if (now % 2 == 0) {
            counts.add(now / 2);
        }
        if (now > 1) {
            counts.add(Integer.highestOneBit(now - 1));
        }
        if (now - group >= Math.ceilDiv(now, 2)) {
            counts.add(now - group);
        }
        return counts;
    }

    /// Returns larger counts: power-of-two multiples of the current count, and powers of two.
    private TreeSet<Integer> doublings(int mostTimes) {
        long now = question.deviceCount(lever);
        long power = Long.highestOneBit(now);
        TreeSet<Integer> counts = new TreeSet<>();
        for (long times = 2; times <= mostTimes; times *= 2) {
            Stream.of(now * times, power * times)
                    .filter(count -> count > now && count <= Math.min(question.mostDevices(), Integer.MAX_VALUE - 1))
                    .map(Long::intValue)
                    .forEach(counts::add);
        }
        return counts;
    }

    /// Finds the nearest larger even split, below double the count, that delivers more than the best plan so
    /// far, adds it to `found` and returns it; returns `best` if there is none.
    private Counted nextSplit(int group, Counted best, List<Answered> found) {
        int now = question.deviceCount(lever);
        TreeSet<Integer> others = doublings(2);
        return IntStream.rangeClosed(1, MOST_SPLITS)
                .mapToLong(groups -> now + (long) groups * group)
                .filter(count -> count < Math.min(2L * now, question.mostDevices() + 1L))
                .mapToObj(count -> (int) count)
                .filter(count -> !others.contains(count))
                .flatMap(count -> searched(count).stream()
                        .filter(own -> servesMore(own.plan(), best.plan))
                        .map(own -> {
                            found.add(own);
                            return new Counted(count, own.plan());
                        }))
                .findFirst()
                .orElse(best);
    }

    private boolean servesMore(Plan plan, Plan smaller) {
        return isBetter(plan, smaller) || (!mayIdle() && plan.rate() > smaller.rate());
    }

    /// @param best best plan of the smaller counts
    private @Nullable Counted next(int count, @Nullable Counted best, List<Answered> found) {
        Optional<Answered> searched = searched(count);
        if (searched.isEmpty()) {
            return best;
        }
        Answered own = searched.get();
        if (best == null
                || !isBetter(best.plan, own.plan())
                || (!mayIdle() && own.plan().rate() >= best.plan.rate())) {
            found.add(own);
            return new Counted(count, own.plan());
        }
        if (mayIdle()) {
            Variant variant = own.variant();
            found.add(new Answered(
                    new Variant(variant.change().leaving(count - best.devices), variant.question()), best.plan));
        }
        return best;
    }

    private Optional<Answered> searched(int count) {
        return inquiry.affordsPairs(lever)
                ? inquiry.whole(
                        List.of(lever),
                        () -> Variant.of(
                                        Change.of(lever, question.deviceCount(lever), count),
                                        question.withDevices(lever, count))
                                .flatMap(inquiry::answered))
                : Optional.empty();
    }

    private boolean mayIdle() {
        return switch (question.objective()) {
            case Objective.TokensPerSecond _, Objective.TokensPerSecondPerUser _ -> true;
            case Objective.TokensPerSecondPerDevice _, Objective.CostPerMillionTokens _ -> false;
        };
    }

    private boolean isBetter(Plan one, Plan other) {
        return one.isBetterThan(other, question.objective());
    }
}
