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

/// Equal instances that do both phases and share a demand: with `D` requests a second, headroom `h`, and `R` requests a
/// second of one instance of `s` devices at its most, `n = ceil(D (1 + h) / R)` of them take `n s` devices. Where the
/// demand is requests at once, `R` is the most that an instance holds. Quotients are exact ([Ratio]).
///
/// @param instances each at its most
/// @param planned as many of one instance as a demand takes
/// @param order the best plan first
/// @param checkpoint is called between pieces of work, and may end it by an exception
record EqualInstances<I extends EqualInstances.AtMost>(
        List<I> instances,
        BiFunction<I, Requirement, DemandPlan> planned,
        Comparator<DemandPlan> order,
        Runnable checkpoint)
        implements PlanLaw {

    /// One instance at its most.
    interface AtMost {
        /// Its devices.
        int size();

        /// Returns whether its figures can be ranked by.
        default boolean isReliable() {
            return true;
        }

        /// What it serves, in what the requirement counts.
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

    /// Returns the instances whose figures can be ranked by, or all if there are none.
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
