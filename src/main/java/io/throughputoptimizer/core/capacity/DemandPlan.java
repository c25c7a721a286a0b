package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.Objective.Delivered;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Instances that serve a demand with headroom.
public sealed interface DemandPlan permits CapacityPlan, DemandPlan.CalibratedPlan {
    /// Returns the name of the kind of device.
    String deviceName();

    Kind kind();

    Requirement requirement();

    /// Returns the devices of all instances.
    long deviceCount();

    /// Returns the devices needed if every figure is at the unfavorable end of its prediction interval; null if
    /// figures have no interval or no count is known to suffice.
    @Nullable
    Long unfavourableDevices();

    /// Returns the share of capacity used by the demand without headroom, for the most utilized instances.
    double utilization();

    /// Returns the TTFT at the demand, KV transfer included.
    double ttftMillis();

    /// Returns the KV transfer of a request from prefill to decode, or null if it takes no time.
    @Nullable
    Handover handover();

    /// Returns the TPOT at the demand.
    double tpotMillis();

    /// Returns the end-to-end latency at the demand, KV transfer included.
    ///
    /// @param basis TTFT definition
    @Nullable
    Double requestLatencyMillis(TtftBasis basis);

    /// Returns the request rate at the demand, without headroom.
    double requestsPerSecond();

    /// Returns the request rate with every instance at its peak.
    double mostRequestsPerSecond();

    /// Returns whether the prediction intervals of the peak are narrow enough for ranking.
    default boolean isReliable() {
        return true;
    }

    /// Returns the value of the objective, or empty without one.
    default OptionalDouble value(@Nullable Objective objective) {
        return objective == null ? OptionalDouble.empty() : objective.value(delivered());
    }

    /// Returns the figures for the objective: throughput at capacity, cost of the devices at the demand, and
    /// TPOT at the demand.
    private Delivered delivered() {
        double outputTokens = requirement().outputTokens();
        return new Delivered(
                Map.of(deviceName(), deviceCount() / (requestsPerSecond() * outputTokens)),
                mostRequestsPerSecond() * outputTokens,
                mostRequestsPerSecond() * outputTokens / deviceCount(),
                tpotMillis());
    }

    /// Returns the cost of all devices per hour, or empty without prices.
    default OptionalDouble costPerHour(@Nullable Objective objective) {
        return objective instanceof Objective.CostPerMillionTokens(var prices, var _)
                ? OptionalDouble.of(BigDecimal.valueOf(Objects.requireNonNull(prices.get(deviceName())))
                        .multiply(BigDecimal.valueOf(deviceCount()))
                        .doubleValue())
                : OptionalDouble.empty();
    }

    /// Returns the order of plans: reliable ones first, then fewest devices, or the lowest hourly cost if
    /// prices are given, then the objective, then the lowest utilization.
    static Comparator<DemandPlan> betterFirst(Objective objective) {
        return Comparator.comparing((DemandPlan plan) -> !plan.isReliable())
                .thenComparingDouble(plan -> plan.costPerHour(objective).orElse(0))
                .thenComparingLong(DemandPlan::deviceCount)
                .thenComparingDouble(plan -> objective.order(plan.delivered()))
                .thenComparing(Comparator.comparingDouble(DemandPlan::mostRequestsPerSecond)
                        .reversed())
                .thenComparingDouble(DemandPlan::tpotMillis);
    }

    /// Calibrated instances that serve a demand with headroom.
    public sealed interface CalibratedPlan extends DemandPlan permits CalibratedCapacityPlan, CalibratedPairPlan {
        /// Returns the problem of its kind of device.
        CalibratedProblem problem();

        /// Returns the figures at the demand.
        SteadyFigures load();

        @Override
        default String deviceName() {
            return problem().devices().getFirst().name();
        }

        @Override
        default double ttftMillis() {
            return load().ttftMillis(problem().demand().limits().basis());
        }

        @Override
        default double tpotMillis() {
            return load().tpotMillis();
        }

        @Override
        default Double requestLatencyMillis(TtftBasis basis) {
            return load().requestLatencyMillis(basis);
        }
    }
}
