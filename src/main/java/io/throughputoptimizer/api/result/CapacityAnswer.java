package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CapacityResponse.DevicesResponse;
import io.throughputoptimizer.api.result.CapacityResponse.InstanceResponse;
import io.throughputoptimizer.api.result.CapacityResponse.LeftOutResponse;
import io.throughputoptimizer.api.result.CapacityResponse.PeakResponse;
import io.throughputoptimizer.api.result.CapacityResponse.PercentilesResponse;
import io.throughputoptimizer.api.result.CapacityResponse.ShortfallResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.core.capacity.CalibratedCapacityPlan;
import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.CapacityResult;
import io.throughputoptimizer.core.capacity.CapacityResult.Impossible;
import io.throughputoptimizer.core.capacity.CapacityResult.InstancePeak;
import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection;
import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection.NearestCandidate;
import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection.NearestDeployment;
import io.throughputoptimizer.core.capacity.CapacityResult.LeftOut;
import io.throughputoptimizer.core.capacity.CapacityResult.Pairs;
import io.throughputoptimizer.core.capacity.DemandPlan;
import io.throughputoptimizer.core.capacity.Peak;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Answers of mode `capacity`, common to both cost models.
///
/// @param devices in the order of the answer
/// @param objective what deployments are ranked by besides devices; absent where nobody asked
/// @param limits that were asked for
/// @param transfer in the TTFT of prefill and decode instances; absent where that takes no time
record CapacityAnswer(
        List<DeviceResponse> devices,
        @Nullable Objective objective,
        Limits limits,
        @Nullable KvTransferLink transfer) {

    CapacityResponse of(CapacityResult found) {
        List<DeploymentResponse> rows = IntStream.range(0, found.plans().size())
                .mapToObj(index -> {
                    DemandPlan plan = found.plans().get(index);
                    List<DemandPlan> ofDevice = of(plan.deviceName(), found.plans());
                    return deployment(plan, index + 1, plan.equals(ofDevice.getFirst()) ? ofDevice : List.of());
                })
                .toList();
        List<ShortfallResponse> shortfalls = devices.stream()
                .filter(device -> of(device.device(), found.plans()).isEmpty())
                .map(device -> shortfall(device, found))
                .toList();
        List<String> names = devices.stream().map(DeviceResponse::device).toList();
        return new CapacityResponse(
                rows.isEmpty() ? null : rows.getFirst(),
                rows,
                shortfalls.isEmpty() ? null : shortfalls,
                Stream.concat(
                                found.instances().stream().map(CapacityAnswer::instance),
                                found.rejections().stream().map(CapacityAnswer::rejected))
                        .sorted(Comparator.comparingInt((InstanceResponse one) -> names.indexOf(one.device()))
                                .thenComparingInt(InstanceResponse::devicesPerInstance)
                                .thenComparing(InstanceResponse::phase))
                        .toList(),
                found.leftOut().isEmpty()
                        ? null
                        : found.leftOut().stream().map(this::leftOut).toList(),
                found.curve().stream()
                        .map(point -> new DevicesResponse(
                                point.device(), WireFormat.name(point.kind()), point.amount(), point.devices()))
                        .toList(),
                null);
    }

    private List<DemandPlan> of(String device, List<DemandPlan> plans) {
        return plans.stream().filter(plan -> plan.deviceName().equals(device)).toList();
    }

    /// A plan on fewer devices than the first that is set back for its wide bands; absent if there is none.
    ///
    /// @param plans of one kind of device
    private static @Nullable List<String> promise(List<DemandPlan> plans) {
        if (plans.isEmpty() || !plans.getFirst().isReliable()) {
            return null;
        }
        long first = plans.getFirst().deviceCount();
        return plans.stream()
                .filter(plan -> !plan.isReliable() && plan.deviceCount() < first)
                .min(Comparator.comparingLong(DemandPlan::deviceCount))
                .map(plan -> List.of(plan.deviceCount() + " " + plan.deviceName() + ", " + WireFormat.name(plan.kind())
                        + ", promise the same, beyond what was measured"))
                .orElse(null);
    }

    /// @param others all plans on its kind of device where it is the best of these; else none
    private DeploymentResponse deployment(DemandPlan plan, @Nullable Integer rank, List<DemandPlan> others) {
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
                CapacityGroups.of(plan),
                cost.isPresent() ? cost.getAsDouble() : null,
                ObjectiveResponse.of(objective, plan.value(objective)),
                others.isEmpty() ? null : percentiles(plan),
                promise(others));
    }

    private static @Nullable PercentilesResponse percentiles(DemandPlan plan) {
        return plan instanceof CalibratedCapacityPlan measured
                ? measured.percentiles()
                        .map(found -> new PercentilesResponse(
                                found.percent(), found.ttftMillis(), found.tpotMillis(), found.requestLatencyMillis()))
                        .orElse(null)
                : null;
    }

    private ShortfallResponse shortfall(DeviceResponse of, CapacityResult found) {
        String device = of.device();
        List<DemandPlan> reaches = of(device, found.reaches());
        List<DemandPlan> needed = of(device, found.beyond());
        return new ShortfallResponse(
                device,
                new CapacityAdvice(of.numDevices(), device)
                        .sentences(reaches, needed, () -> nearest(device, found.rejections())),
                reaches.stream().map(plan -> deployment(plan, null, List.of())).toList(),
                needed.stream().map(plan -> deployment(plan, null, List.of())).toList());
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

    private static InstanceResponse instance(InstancePeak instance) {
        return switch (instance) {
            case Peak peak ->
                new InstanceResponse(
                        peak.device().name(),
                        peak.size(),
                        PhaseName.of(peak.phase()),
                        ParallelResponse.from(peak.row().candidate()),
                        new PeakResponse(
                                peak.row().batchSize(),
                                peak.row().concurrency(),
                                peak.requestsPerSecond(),
                                peak.row().figures().ttftMillis(),
                                peak.row().figures().tpotMillis(),
                                peak.row().figures().kept() == null ? null : (Double) peak.openConversations()),
                        null);
            case CalibratedCapacityPlan plan ->
                new InstanceResponse(
                        plan.deviceName(),
                        plan.instance().size(),
                        PhaseName.AGGREGATION,
                        ParallelResponse.from(plan.instance().priced().deployment()),
                        new PeakResponse(
                                (long) plan.peak().concurrency(),
                                ((long) plan.peak().concurrency())
                                        * plan.instance().priced().ranks(),
                                plan.instanceMostRequestsPerSecond(),
                                plan.peak()
                                        .ttftMillis(
                                                plan.problem().demand().limits().basis()),
                                plan.peak().tpotMillis(),
                                plan.peak().kept() == null
                                        ? null
                                        : (Double) (plan.peak().kept().conversations()
                                                * plan.instance().priced().ranks())),
                        null);
        };
    }

    private LeftOutResponse leftOut(LeftOut leftOut) {
        return switch (leftOut) {
            case Impossible(var kind, String reason) -> new LeftOutResponse(WireFormat.name(kind), reason);
            case Pairs(long skipped, boolean corrected) ->
                new LeftOutResponse(
                        WireFormat.name(Kind.DISAGGREGATED),
                        skipped > 0
                                ? skipped + " pairs of layouts, because there are too many: fewer instance_sizes"
                                        + " compare them all"
                                : limits.percentile() != null
                                        ? "since no search simulates prefill and decode instances for slo.percentile"
                                        : corrected
                                                ? "since feedback corrects instances that do prefill and decode only"
                                                : "no prefill and decode instances keep the limits together");
        };
    }

    /// Returns the rejection of the largest size of each phase: it is the last to lack memory or time.
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
