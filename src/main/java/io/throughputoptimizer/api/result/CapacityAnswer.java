package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DevicesResponse;
import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import io.throughputoptimizer.api.result.CapacityResponse.InstanceResponse;
import io.throughputoptimizer.api.result.CapacityResponse.LeftOutResponse;
import io.throughputoptimizer.api.result.CapacityResponse.ShortfallResponse;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.core.capacity.CapacityResult.CurvePoint;
import io.throughputoptimizer.core.capacity.DemandPlan;
import io.throughputoptimizer.core.capacity.InstanceRejection;
import io.throughputoptimizer.core.capacity.InstanceRejection.NearestCandidate;
import io.throughputoptimizer.core.capacity.InstanceRejection.NearestDeployment;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.AvailableDevices;
import io.throughputoptimizer.core.search.KvTransfer;
import io.throughputoptimizer.core.search.KvTransfer.Handover;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What answers of mode `capacity` have alike, whatever their figures are based on.
///
/// @param devices names of the kinds of device, in the order of the answer
/// @param available devices of each kind
/// @param objective what deployments are ranked by besides devices; absent where nobody asked
/// @param limits that were asked for
/// @param transfer in the TTFT of prefill and decode instances; absent where that takes no time
/// @param groups kinds of instance of a plan
record CapacityAnswer<P extends DemandPlan>(
        List<String> devices,
        AvailableDevices available,
        @Nullable Objective objective,
        Limits limits,
        @Nullable KvTransfer transfer,
        Function<P, List<GroupResponse>> groups) {

    /// What was found.
    ///
    /// @param plans that the devices hold, the best first
    /// @param reaches how far they reach where they do not suffice
    /// @param beyond what would do there
    /// @param rejections sizes that have no instance
    record Found<P extends DemandPlan>(
            List<P> plans,
            List<P> reaches,
            List<P> beyond,
            List<InstanceRejection> rejections,
            List<CurvePoint> curve) {}

    /// @param instances of sizes that have one, in any order
    CapacityResponse of(Found<P> found, Stream<InstanceResponse> instances, List<LeftOutResponse> leftOut) {
        List<DeploymentResponse> rows = IntStream.range(0, found.plans.size())
                .mapToObj(index -> deployment(found.plans.get(index), index + 1))
                .toList();
        List<ShortfallResponse> shortfalls = devices.stream()
                .filter(device -> of(device, found.plans).isEmpty())
                .map(device -> shortfall(device, found))
                .toList();
        return new CapacityResponse(
                rows.isEmpty() ? null : rows.getFirst(),
                rows,
                shortfalls.isEmpty() ? null : shortfalls,
                Stream.concat(instances, found.rejections.stream().map(CapacityAnswer::rejected))
                        .sorted(Comparator.comparingInt((InstanceResponse one) -> devices.indexOf(one.device()))
                                .thenComparingInt(InstanceResponse::devicesPerInstance)
                                .thenComparing(InstanceResponse::phase))
                        .toList(),
                leftOut.isEmpty() ? null : leftOut,
                found.curve.stream()
                        .map(point -> new DevicesResponse(
                                point.device(), WireFormat.name(point.kind()), point.amount(), point.devices()))
                        .toList(),
                null);
    }

    private List<P> of(String device, List<P> plans) {
        return plans.stream().filter(plan -> plan.deviceName().equals(device)).toList();
    }

    private DeploymentResponse deployment(P plan, @Nullable Integer rank) {
        OptionalDouble cost = plan.costPerHour(objective);
        Handover handover = plan.handover();
        return new DeploymentResponse(
                rank,
                plan.deviceName(),
                WireFormat.name(plan.kind()),
                plan.deviceCount(),
                plan.unfavourableDevices(),
                plan.utilization(),
                plan.ttftMillis(),
                handover == null ? null : handover.millis(),
                handover == null ? null : handover.bytes() / MemoryFootprint.GIB,
                plan.tpotMillis(),
                limits.requestLatencyMillis() == null ? null : plan.requestLatencyMillis(limits.basis()),
                plan.requestsPerSecond(),
                plan.requestsPerSecond() * plan.requirement().outputTokens(),
                plan.mostRequestsPerSecond(),
                groups.apply(plan),
                cost.isPresent() ? cost.getAsDouble() : null,
                ObjectiveResponse.of(objective, plan.value(objective)));
    }

    private ShortfallResponse shortfall(String device, Found<P> found) {
        List<P> reaches = of(device, found.reaches);
        List<P> needed = of(device, found.beyond);
        return new ShortfallResponse(
                device,
                new CapacityAdvice(available.of(device), device)
                        .sentences(reaches, needed, () -> nearest(device, found.rejections)),
                reaches.stream().map(plan -> deployment(plan, null)).toList(),
                needed.stream().map(plan -> deployment(plan, null)).toList());
    }

    private static InstanceResponse rejected(InstanceRejection rejection) {
        return new InstanceResponse(
                rejection.device(),
                rejection.size(),
                PhaseName.of(rejection.phase()),
                switch (rejection.nearest()) {
                    case null -> null;
                    case NearestCandidate(var candidate) -> ParallelResponse.from(candidate);
                    case NearestDeployment(var deployment) -> ParallelResponse.from(deployment);
                },
                null,
                rejection.detail());
    }

    /// Of each phase that of the largest size, which is the last to be short of memory or time.
    private List<String> nearest(String device, List<InstanceRejection> rejections) {
        return Stream.of(Phase.values())
                .flatMap(phase -> rejections.stream()
                        .filter(rejection -> rejection.device().equals(device) && rejection.phase() == phase)
                        .max(Comparator.comparingInt(InstanceRejection::size))
                        .stream())
                .map(rejection -> CapacityAdvice.nearest(
                        device,
                        PhaseName.of(rejection.phase()),
                        rejection.size(),
                        rejection.detail()
                                + CapacityAdvice.widened(
                                        rejection.limit(),
                                        limits,
                                        rejection.phase() == Phase.AGGREGATION ? null : transfer)))
                .toList();
    }
}
