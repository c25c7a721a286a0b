package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.fleet.MeasuredDevice;
import io.throughputoptimizer.core.search.Goal;
import io.throughputoptimizer.core.search.Goal.Delivered;
import java.util.Comparator;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Instances on measured devices that serve a demand with its headroom.
public sealed interface MeasuredPlan permits FleetCapacityPlan, FleetPairPlan {
    MeasuredDevice device();

    Kind kind();

    Requirement requirement();

    /// Of all instances.
    long deviceCount();

    /// Devices where every figure lies at the unfavourable end of its band; absent where no number of them is known to
    /// do.
    @Nullable
    Long unfavourableDevices();

    /// Share of what the instances could serve that the demand without headroom takes.
    double utilization();

    /// At the demand.
    double ttftMillis();

    /// At the demand.
    double tpotMillis();

    /// At the demand.
    double requestsPerSecond();

    /// With every instance at its most.
    double mostRequestsPerSecond();

    /// What it is ranked by besides devices; empty where nobody asked.
    default OptionalDouble value(@Nullable Goal goal) {
        return goal == null ? OptionalDouble.empty() : goal.value(delivered());
    }

    /// Of all devices for an hour; empty where there are no prices.
    default OptionalDouble costPerHour(@Nullable Goal goal) {
        return CapacityPlan.costPerHour(goal, device().name(), deviceCount());
    }

    private Delivered delivered() {
        return CapacityPlan.delivered(
                device().name(),
                deviceCount(),
                requestsPerSecond(),
                mostRequestsPerSecond(),
                requirement().outputTokens(),
                tpotMillis());
    }

    /// As [CapacityPlan#betterFirst].
    static Comparator<MeasuredPlan> betterFirst(Goal goal) {
        return Comparator.comparingDouble(
                        (MeasuredPlan plan) -> plan.costPerHour(goal).orElse(0))
                .thenComparingLong(MeasuredPlan::deviceCount)
                .thenComparingDouble(plan -> goal.order(plan.delivered()))
                .thenComparing(Comparator.comparingDouble(MeasuredPlan::mostRequestsPerSecond)
                        .reversed())
                .thenComparingDouble(MeasuredPlan::tpotMillis);
    }
}
