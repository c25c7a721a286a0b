package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.space.KvTransfer.Handover;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A deployment that serves a demand with its headroom.
///
/// @param groups instances that do both, or those of prefill and those of decode
/// @param requestsPerSecond that it serves at the demand, without headroom
/// @param mostRequestsPerSecond that it would serve with every instance at its most
/// @param handover what a request hands over from prefill to decode; absent where that takes no time
public record CapacityPlan(
        DeviceProfile device,
        List<Group> groups,
        Requirement requirement,
        double requestsPerSecond,
        double mostRequestsPerSecond,
        @Nullable Handover handover)
        implements DemandPlan {

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

    @Override
    public String deviceName() {
        return device.name();
    }

    @Override
    public Kind kind() {
        return groups.size() == 1 ? Kind.AGGREGATED : Kind.DISAGGREGATED;
    }

    @Override
    public long deviceCount() {
        return groups.stream().mapToLong(Group::devices).sum();
    }

    /// Roofline figures have no band.
    @Override
    public @Nullable Long unfavourableDevices() {
        return null;
    }

    @Override
    public double utilization() {
        return groups.stream().mapToDouble(Group::utilization).max().orElseThrow();
    }

    /// That of the instances that do prompts, and of the transfer of the cache.
    @Override
    public double ttftMillis() {
        double prompt =
                Objects.requireNonNull(groups.getFirst().load().figures().ttftMillis());
        return handover == null ? prompt : prompt + handover.millis();
    }

    /// That of the instances that generate.
    @Override
    public double tpotMillis() {
        return Objects.requireNonNull(groups.getLast().load().figures().tpotMillis());
    }

    @Override
    public @Nullable Double requestLatencyMillis(TtftBasis basis) {
        return kind() == Kind.AGGREGATED
                ? groups.getFirst().load().figures().requestLatencyMillis()
                : (Double) (ttftMillis() + (requirement.outputTokens() - 1) * tpotMillis());
    }
}
