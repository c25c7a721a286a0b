package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.search.Objective;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Prefill and decode instances counted by their independent request rates.
record InstancePairs(List<Peak> prefill, List<Peak> decode, Objective objective, DemandOperatingPoints loads)
        implements PlanLaw {

    @Override
    public Kind kind() {
        return Kind.DISAGGREGATED;
    }

    @Override
    public Stream<DemandPlan> best(Requirement requirement) {
        Planner planner = new Planner(requirement, objective, loads);
        Map<Integer, List<Peak>> fed = bySize(decode);
        return bySize(prefill).values().stream()
                .flatMap(one -> fed.values().stream().flatMap(other -> planner.apart(one, other).stream()));
    }

    private static Map<Integer, List<Peak>> bySize(List<Peak> peaks) {
        return peaks.stream().collect(Collectors.groupingBy(Peak::size, TreeMap::new, Collectors.toList()));
    }

    @Override
    public OptionalLong devices(Requirement requirement) {
        return new Planner(requirement, objective, loads).devicesApart(prefill, decode);
    }

    /// Returns the largest demand that pairs serve with headroom: `max min(p q_p, d q_d)` over instance counts
    /// that fit the devices; for a demand in concurrent requests, the largest number for which a planner finds
    /// devices.
    @Override
    public Optional<Requirement> reach(Requirement requirement, long budget) {
        return requirement.isConcurrency()
                ? held(this, decode, requirement, budget, loads)
                : prefill.stream()
                        .flatMap(one -> {
                            loads.failWhenCancelled();
                            return decode.stream()
                                    .filter(one::handsLike)
                                    .flatMap(other -> balanced(requirement, budget, one, other).stream());
                        })
                        .max(Ratio::compareTo)
                        .map(requirement::upTo);
    }

    /// Returns the best rate of a pair. The rate of prefill grows with its instances while that of the
    /// remaining decode instances falls, so the best is next to the intersection.
    static Optional<Ratio> balanced(Requirement requirement, long budget, Peak prefill, Peak decode) {
        long most = (budget - decode.size()) / prefill.size();
        if (budget < (long) prefill.size() + decode.size()) {
            return Optional.empty();
        }
        LongFunction<Ratio> feeds = prefill.ability(requirement)::times;
        LongFunction<Ratio> fed =
                count -> decode.ability(requirement).times((budget - count * prefill.size()) / decode.size());
        long meet = least(1, most, count -> feeds.apply(count).compareTo(fed.apply(count)) >= 0);
        return Stream.of(meet - 1, meet)
                .filter(count -> count >= 1)
                .map(count -> Ratio.least(feeds.apply(count), fed.apply(count)))
                .max(Ratio::compareTo);
    }

    /// Returns the largest concurrency that decode instances hold and for which a law finds devices.
    static Optional<Requirement> held(
            PlanLaw law, List<Peak> decode, Requirement requirement, long budget, DemandOperatingPoints loads) {
        Optional<Requirement> bound = EqualInstances.most(decode, requirement, budget, loads::failWhenCancelled);
        if (bound.isEmpty()) {
            return bound;
        }
        long most = (long) bound.get().amount();
        LongPredicate beyond = held -> {
            OptionalLong devices = law.devices(requirement.with(held));
            return devices.isEmpty() || devices.getAsLong() > budget;
        };
        long largest = beyond.test(most) ? least(1, most, beyond) - 1 : most;
        return largest < 1 ? Optional.empty() : Optional.of(requirement.with(largest));
    }

    /// Returns the smallest number of a range that satisfies a monotone predicate; the last if none does.
    static long least(long first, long last, LongPredicate holds) {
        long low = first;
        long high = last;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (holds.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
