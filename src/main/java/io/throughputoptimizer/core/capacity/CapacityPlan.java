package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.Goal;
import io.throughputoptimizer.core.search.Goal.Delivered;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.workload.Phase;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// A deployment that serves a demand with its headroom.
///
/// @param groups instances that do both, or those of prefill and those of decode
/// @param requestsPerSecond that it serves at the demand, without headroom
/// @param mostRequestsPerSecond that it would serve with every instance at its most
public record CapacityPlan(
        DeviceProfile device,
        List<Group> groups,
        Requirement requirement,
        double requestsPerSecond,
        double mostRequestsPerSecond) {

    /// Equal instances that share the demand.
    ///
    /// @param peak one of them at its most
    /// @param count how many there are
    /// @param utilization share of what they could serve that the demand without headroom takes
    /// @param load one of them at its share of the demand
    public record Group(Peak peak, long count, double utilization, ResultRow load) {
        public Phase phase() {
            return peak.phase();
        }

        /// Devices of an instance.
        public int size() {
            return peak.size();
        }

        /// Of all of them.
        public long devices() {
            return size() * count;
        }
    }

    public CapacityPlan {
        groups = List.copyOf(groups);
    }

    public Kind kind() {
        return groups.size() == 1 ? Kind.AGGREGATED : Kind.DISAGGREGATED;
    }

    /// Of all instances.
    public long deviceCount() {
        return groups.stream().mapToLong(Group::devices).sum();
    }

    /// That of the instances that have least to spare.
    public double utilization() {
        return groups.stream().mapToDouble(Group::utilization).max().orElseThrow();
    }

    /// At the demand: that of the instances that do prompts.
    public double ttftMillis() {
        return Objects.requireNonNull(groups.getFirst().load().figures().ttftMillis());
    }

    /// At the demand: that of the instances that generate.
    public double tpotMillis() {
        return Objects.requireNonNull(groups.getLast().load().figures().tpotMillis());
    }

    /// What it is ranked by besides devices; absent where nobody asked.
    public OptionalDouble value(@Nullable Goal goal) {
        return goal == null ? OptionalDouble.empty() : goal.value(delivered());
    }

    private Delivered delivered() {
        return delivered(
                device.name(),
                deviceCount(),
                requestsPerSecond,
                mostRequestsPerSecond,
                requirement.outputTokens(),
                tpotMillis());
    }

    /// Throughputs are those that it could serve, the cost is that of the devices at the demand, and a user sees
    /// the TPOT at the demand.
    static Delivered delivered(
            String device, long devices, double served, double most, double outputTokens, double tpotMillis) {
        return new Delivered(
                device,
                most * outputTokens,
                most * outputTokens / devices,
                devices / (served * outputTokens),
                tpotMillis);
    }

    /// Of all devices for an hour; empty where there are no prices.
    public OptionalDouble costPerHour(@Nullable Goal goal) {
        return costPerHour(goal, device.name(), deviceCount());
    }

    static OptionalDouble costPerHour(@Nullable Goal goal, String device, long devices) {
        return goal instanceof Goal.CostPerMillionTokens(var prices, var _)
                ? OptionalDouble.of(BigDecimal.valueOf(Objects.requireNonNull(prices.get(device)))
                        .multiply(BigDecimal.valueOf(devices))
                        .doubleValue())
                : OptionalDouble.empty();
    }

    /// Fewest devices first, or where prices are given the least cost for an hour; then the goal; of equal ones
    /// that which has most to spare.
    static Comparator<CapacityPlan> betterFirst(Goal goal) {
        Comparator<CapacityPlan> byGoal = Comparator.comparingDouble(plan -> goal.order(plan.delivered()));
        Comparator<CapacityPlan> byDevices = Comparator.comparingLong(CapacityPlan::deviceCount);
        return Comparator.comparingDouble(
                        (CapacityPlan plan) -> plan.costPerHour(goal).orElse(0))
                .thenComparing(byDevices)
                .thenComparing(byGoal)
                .thenComparing(Comparator.comparingDouble(CapacityPlan::mostRequestsPerSecond)
                        .reversed())
                .thenComparingDouble(CapacityPlan::tpotMillis);
    }
}
