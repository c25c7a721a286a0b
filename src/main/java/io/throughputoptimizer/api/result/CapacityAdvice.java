package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.core.capacity.CapacityPlan;
import io.throughputoptimizer.core.capacity.CapacityResult;
import io.throughputoptimizer.core.capacity.InstanceRejection;
import io.throughputoptimizer.core.capacity.Requirement;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.RejectedCandidate;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What to say of a kind of device that does not serve a demand.
record CapacityAdvice(CapacityResult result, DeviceProfile device) {

    List<String> sentences(List<CapacityPlan> reaches, List<CapacityPlan> needed) {
        if (needed.isEmpty()) {
            return Stream.of(Phase.values())
                    .flatMap(phase -> nearest(phase).stream())
                    .toList();
        }
        String available = result.problem().deviceCount() + " " + device.name();
        Stream<String> reached = reaches.isEmpty()
                ? Stream.of(available + " hold no instance that keeps the limits.")
                : reaches.stream()
                        .map(plan ->
                                available + " serve at most " + demand(plan.requirement()) + ", " + kind(plan) + ".");
        return Stream.concat(
                        reached,
                        needed.stream()
                                .map(plan -> demand(plan.requirement()) + " take " + plan.deviceCount() + " "
                                        + device.name() + ", " + kind(plan) + "."))
                .toList();
    }

    private static String kind(CapacityPlan plan) {
        return WireFormat.name(plan.kind());
    }

    private static String demand(Requirement requirement) {
        String headroom =
                requirement.headroom() > 0 ? " with headroom " + Decimals.general(requirement.headroom()) : "";
        return Decimals.general(requirement.amount()) + " " + unit(requirement.unit()) + headroom;
    }

    private static String unit(Unit unit) {
        return switch (unit) {
            case REQUESTS_PER_S -> "requests/s";
            case TOKENS_PER_S -> "output tokens/s";
            case CONCURRENCY -> "requests at once";
        };
    }

    /// Of the largest size, which is the last to be short of memory or time.
    private Optional<String> nearest(Phase phase) {
        return result.rejections().stream()
                .filter(rejection -> rejection.device().equals(device) && rejection.phase() == phase)
                .max(Comparator.comparingInt(InstanceRejection::size))
                .map(rejection -> "No instance of " + device.name() + " does "
                        + PhaseName.of(phase).wireName() + " within the limits: the nearest of "
                        + rejection.size() + " devices: " + rejection.detail() + widened(rejection) + ".");
    }

    private static String widened(InstanceRejection rejection) {
        RejectedCandidate nearest = rejection.nearest();
        return nearest == null
                ? ""
                : switch (nearest.reason()) {
                    case TTFT -> "; a higher slo.ttft_ms may do";
                    case TPOT -> "; a higher slo.tpot_ms may do";
                    case MEMORY -> "; larger instances, fewer bits or devices with more memory may do";
                    case BATCH_RANGE -> "; another search.batch_range may do";
                    case SEARCH -> "; another search.strategy may do";
                    case MODEL -> "";
                };
    }
}
