package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.Objective.Delivered;
import io.throughputoptimizer.core.search.space.KvTransfer.Handover;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Instances that serve a demand with its headroom.
public sealed interface DemandPlan permits CapacityPlan, MeasuredPlan {
    /// Name of the kind of device.
    String deviceName();

    Kind kind();

    Requirement requirement();

    /// Of all instances.
    long deviceCount();

    /// Devices where every figure lies at the unfavourable end of its band; absent where figures have none, or no
    /// number of devices is known to do.
    @Nullable
    Long unfavourableDevices();

    /// Share of what the instances could serve that the demand without headroom takes: that of the instances that have
    /// least to spare.
    double utilization();

    /// At the demand, with the transfer of a cache.
    double ttftMillis();

    /// What a request hands over from prefill to decode; absent where that takes no time.
    @Nullable
    Handover handover();

    /// At the demand.
    double tpotMillis();

    /// Of a whole answer at the demand, with the transfer of a cache.
    ///
    /// @param basis of TTFT
    @Nullable
    Double requestLatencyMillis(TtftBasis basis);

    /// At the demand, without headroom.
    double requestsPerSecond();

    /// With every instance at its most.
    double mostRequestsPerSecond();

    /// Returns whether the bands of the peak are narrow enough to rank by it.
    default boolean isReliable() {
        return true;
    }

    /// What it is ranked by besides devices; empty where nobody asked.
    default OptionalDouble value(@Nullable Objective objective) {
        return objective == null ? OptionalDouble.empty() : objective.value(delivered());
    }

    /// Throughputs are those that it could serve, the cost is that of the devices at the demand, and a user sees
    /// the TPOT at the demand.
    private Delivered delivered() {
        double outputTokens = requirement().outputTokens();
        return new Delivered(
                deviceName(),
                mostRequestsPerSecond() * outputTokens,
                mostRequestsPerSecond() * outputTokens / deviceCount(),
                deviceCount() / (requestsPerSecond() * outputTokens),
                tpotMillis());
    }

    /// Of all devices for an hour; empty where there are no prices.
    default OptionalDouble costPerHour(@Nullable Objective objective) {
        return objective instanceof Objective.CostPerMillionTokens(var prices, var _)
                ? OptionalDouble.of(BigDecimal.valueOf(Objects.requireNonNull(prices.get(deviceName())))
                        .multiply(BigDecimal.valueOf(deviceCount()))
                        .doubleValue())
                : OptionalDouble.empty();
    }

    /// Reliable plans first. Of these fewest devices first, or where prices are given the least cost for an hour; then
    /// the objective; of equal ones
    /// that which has most to spare.
    static Comparator<DemandPlan> betterFirst(Objective objective) {
        return Comparator.comparing((DemandPlan plan) -> !plan.isReliable())
                .thenComparingDouble(plan -> plan.costPerHour(objective).orElse(0))
                .thenComparingLong(DemandPlan::deviceCount)
                .thenComparingDouble(plan -> objective.order(plan.delivered()))
                .thenComparing(Comparator.comparingDouble(DemandPlan::mostRequestsPerSecond)
                        .reversed())
                .thenComparingDouble(DemandPlan::tpotMillis);
    }
}
