package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.search.Goal;
import io.throughputoptimizer.core.search.Goal.Delivered;
import io.throughputoptimizer.core.steady.LawOutcome.Figures;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Equal instances on measured devices that serve a demand with its headroom.
///
/// @param count how many there are
/// @param load figures of a rank at its share of the demand
/// @param peak figures of a rank at its most
/// @param unfavourable how many it takes where every figure lies at the unfavourable end of its band; empty where no
///     number of them is known to do
public record FleetCapacityPlan(
        FleetInstance instance,
        long count,
        Requirement requirement,
        Figures load,
        Figures peak,
        Optional<Long> unfavourable) {

    /// Of the instance at its share of a requirement; empty where its peak cannot be counted.
    static FleetCapacityPlan of(FleetInstance instance, Requirement requirement) {
        Figures peak = instance.peak(requirement);
        Ratio ability = instance.ability(requirement, peak);
        long count = requirement.planned().dividedBy(ability).ceiling();
        Figures load =
                instance.load(requirement, requirement.asked().dividedBy(count)).orElse(peak);
        return new FleetCapacityPlan(
                instance,
                count,
                requirement,
                load,
                peak,
                instance.unfavourable(requirement)
                        .map(worst -> requirement.planned().dividedBy(worst).ceiling()));
    }

    public long deviceCount() {
        return count * instance.size();
    }

    /// Devices where every figure lies at the unfavourable end of its band.
    public @Nullable Long unfavourableDevices() {
        return unfavourable.map(many -> many * instance.size()).orElse(null);
    }

    /// Share of what the instances could serve that the demand without headroom takes.
    public double utilization() {
        return requirement
                .asked()
                .dividedBy(instance.ability(requirement, peak).times(count))
                .value();
    }

    /// At the demand.
    public double requestsPerSecond() {
        return requirement.isConcurrency()
                ? instance.rate(load).times(count).value()
                : requirement.asked().value();
    }

    /// With every instance at its most.
    public double mostRequestsPerSecond() {
        return instanceMostRequestsPerSecond() * count;
    }

    /// Of one instance at its most.
    public double instanceMostRequestsPerSecond() {
        return instance.rate(peak).value();
    }

    /// What it is ranked by besides devices; empty where nobody asked.
    public OptionalDouble value(@Nullable Goal goal) {
        return goal == null ? OptionalDouble.empty() : goal.value(delivered());
    }

    /// Of all devices for an hour; empty where there are no prices.
    public OptionalDouble costPerHour(@Nullable Goal goal) {
        return CapacityPlan.costPerHour(goal, instance.device().name(), deviceCount());
    }

    private Delivered delivered() {
        return CapacityPlan.delivered(
                instance.device().name(),
                deviceCount(),
                requestsPerSecond(),
                mostRequestsPerSecond(),
                requirement.outputTokens(),
                load.tpotMillis());
    }

    /// As [CapacityPlan#betterFirst].
    static Comparator<FleetCapacityPlan> betterFirst(Goal goal) {
        return Comparator.comparingDouble(
                        (FleetCapacityPlan plan) -> plan.costPerHour(goal).orElse(0))
                .thenComparingLong(FleetCapacityPlan::deviceCount)
                .thenComparingDouble(plan -> goal.order(plan.delivered()))
                .thenComparing(Comparator.comparingDouble(FleetCapacityPlan::mostRequestsPerSecond)
                        .reversed())
                .thenComparingDouble(plan -> plan.load.tpotMillis());
    }
}
