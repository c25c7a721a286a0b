package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A deployment that serves a demand with headroom.
///
/// @param groups aggregated instances, or prefill and decode instances
/// @param requestsPerSecond request rate at the demand, without headroom
/// @param mostRequestsPerSecond request rate with every instance at its peak
/// @param handover KV transfer of a request from prefill to decode; null if it takes no time
public record CapacityPlan(
        DeviceProfile device,
        List<Group> groups,
        Requirement requirement,
        double requestsPerSecond,
        double mostRequestsPerSecond,
        @Nullable Handover handover)
        implements DemandPlan {

    /// Identical instances that share the demand.
    ///
    /// @param peak peak of one instance
    /// @param count number of instances
    /// @param utilization share of capacity used by the demand without headroom
    /// @param load operating point of one instance at its share of the demand
    public record Group(Peak peak, long count, double utilization, ResultRow load) {
        public Phase phase() {
            return peak.phase();
        }

        /// Returns the devices per instance.
        public int size() {
            return peak.size();
        }

        /// Returns the devices of all instances of the group.
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

    /// Returns null: analytic figures have no prediction interval.
    @Override
    public @Nullable Long unfavourableDevices() {
        return null;
    }

    @Override
    public double utilization() {
        return groups.stream().mapToDouble(Group::utilization).max().orElseThrow();
    }

    /// Returns the TTFT of the prefill instances plus the KV transfer.
    @Override
    public double ttftMillis() {
        double prompt =
                Objects.requireNonNull(groups.getFirst().load().figures().ttftMillis());
        return handover == null ? prompt : prompt + handover.millis();
    }

    /// Returns the TPOT of the decode instances.
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
