package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Identical aggregated instances that share a demand. With demand `D` in requests/s, headroom `h` and peak `R`
/// in requests/s of an instance of `s` devices, `n = ceil(D (1 + h) / R)` instances use `n s` devices. For a
/// demand in concurrent requests, `R` is the largest concurrency of an instance. Quotients are exact ([Ratio]).
///
/// @param instances instances at their peak
/// @param planned creates the plan of an instance for a demand
/// @param order comparator with the best plan first
/// @param checkpoint called between units of work; can throw to stop
record EqualInstances<I extends EqualInstances.AtMost>(
        List<I> instances,
        BiFunction<I, Requirement, DemandPlan> planned,
        Comparator<DemandPlan> order,
        Runnable checkpoint)
        implements PlanLaw {

    /// An instance at its peak.
    interface AtMost {
        /// Returns its devices.
        int size();

        /// Returns whether its figures are reliable enough for ranking.
        default boolean isReliable() {
            return true;
        }

        /// Returns its capacity in the unit of the requirement.
        Ratio ability(Requirement requirement);
    }

    @Override
    public Kind kind() {
        return Kind.AGGREGATED;
    }

    /// Returns the best reliable plan of each size, and an unreliable one that takes fewer devices.
    @Override
    public Stream<DemandPlan> best(Requirement requirement) {
        return instances.stream()
                .collect(Collectors.groupingBy(AtMost::size, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .flatMap(size -> {
                    Optional<DemandPlan> reliable = fewest(size, true, requirement);
                    return Stream.concat(
                            reliable.stream(),
                            fewest(size, false, requirement).stream()
                                    .filter(plan -> reliable.isEmpty()
                                            || plan.deviceCount()
                                                    < reliable.get().deviceCount()));
                });
    }

    private Optional<DemandPlan> fewest(List<I> size, boolean reliable, Requirement requirement) {
        TreeMap<Long, List<I>> counts = size.stream()
                .filter(one -> one.isReliable() == reliable)
                .collect(Collectors.groupingBy(one -> count(one, requirement), TreeMap::new, Collectors.toList()));
        return counts.isEmpty()
                ? Optional.empty()
                : counts.firstEntry().getValue().stream()
                        .map(one -> planned.apply(one, requirement))
                        .min(order);
    }

    /// Returns the reliable instances, or all if none is reliable.
    private static <A extends AtMost> List<A> reliable(List<A> instances) {
        List<A> reliable = instances.stream().filter(AtMost::isReliable).toList();
        return reliable.isEmpty() ? instances : reliable;
    }

    private long count(I instance, Requirement requirement) {
        checkpoint.run();
        return requirement.planned().dividedBy(instance.ability(requirement)).ceiling();
    }

    @Override
    public Optional<Requirement> reach(Requirement asked, long devices) {
        return most(instances, asked, devices, checkpoint);
    }

    static Optional<Requirement> most(
            List<? extends AtMost> instances, Requirement asked, long devices, Runnable checkpoint) {
        return reliable(instances.stream().filter(one -> one.size() <= devices).toList()).stream()
                .map(one -> {
                    checkpoint.run();
                    return one.ability(asked).times(devices / one.size());
                })
                .max(Comparator.naturalOrder())
                .flatMap(asked::reaching);
    }

    @Override
    public OptionalLong devices(Requirement requirement) {
        return reliable(instances).stream()
                .mapToLong(one -> count(one, requirement) * one.size())
                .min();
    }
}
