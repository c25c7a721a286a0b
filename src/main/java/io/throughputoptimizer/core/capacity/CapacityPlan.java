package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.Objects;
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
        double mostRequestsPerSecond)
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

    /// That of the instances that do prompts.
    @Override
    public double ttftMillis() {
        return Objects.requireNonNull(groups.getFirst().load().figures().ttftMillis());
    }

    /// That of the instances that generate.
    @Override
    public double tpotMillis() {
        return Objects.requireNonNull(groups.getLast().load().figures().tpotMillis());
    }
}
