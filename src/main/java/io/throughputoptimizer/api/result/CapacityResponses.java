package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import io.throughputoptimizer.api.result.CapacityResponse.InstanceResponse;
import io.throughputoptimizer.api.result.CapacityResponse.LeftOutResponse;
import io.throughputoptimizer.api.result.CapacityResponse.PeakResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.api.result.figure.SearchStatisticsResponse;
import io.throughputoptimizer.core.capacity.CapacityPlan;
import io.throughputoptimizer.core.capacity.CapacityPlan.Group;
import io.throughputoptimizer.core.capacity.CapacityProblem;
import io.throughputoptimizer.core.capacity.CapacityResult;
import io.throughputoptimizer.core.capacity.InstanceRejection;
import io.throughputoptimizer.core.capacity.Peak;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.RejectedCandidate;
import io.throughputoptimizer.core.workload.Phase;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Answers of mode `capacity`, as they are sent and stored.
public final class CapacityResponses {
    private static final double NANOS_PER_MILLI = 1e6;

    private final CapacityResult result;
    private final CapacityProblem problem;

    private CapacityResponses(CapacityResult result) {
        this.result = result;
        this.problem = result.problem();
    }

    /// Maps what the search found.
    ///
    /// @param elapsed how long it took
    public static ResultResponse from(CapacityResult result, Duration elapsed) {
        CapacityProblem problem = result.problem();
        return new ResultResponse(
                        ResultResponse.VERSION,
                        problem.search().accounting().name(),
                        problem.devices().stream()
                                .map(device -> new DeviceResponse(
                                        device.name(), problem.available().of(device.name()), List.of(), null))
                                .toList(),
                        null,
                        null,
                        new SearchStatisticsResponse(
                                result.statistics().candidates(),
                                result.statistics().points(),
                                result.statistics().forwardPasses(),
                                elapsed.toNanos() / NANOS_PER_MILLI,
                                null,
                                SearchStatisticsResponse.orAbsent(
                                        result.statistics().simulatedSteps()),
                                null),
                        null,
                        null,
                        null)
                .with(new CapacityResponses(result).all());
    }

    private CapacityResponse all() {
        return new CapacityAnswer<CapacityPlan>(
                        problem.devices().stream().map(DeviceProfile::name).toList(),
                        problem.available(),
                        problem.demand().objective(),
                        problem.demand().limits(),
                        plan -> plan.groups().stream()
                                .map(CapacityResponses::group)
                                .toList(),
                        this::nearest)
                .of(
                        new CapacityAnswer.Found<>(result.plans(), result.reaches(), result.beyond(), result.curve()),
                        instances(),
                        result.leftOut().stream()
                                .map(one -> new LeftOutResponse(WireFormat.name(one.kind()), one.reason()))
                                .toList());
    }

    private static GroupResponse group(Group group) {
        return new GroupResponse(
                PhaseName.of(group.phase()),
                group.count(),
                group.size(),
                group.utilization(),
                RowResponse.from(group.load(), group.phase(), group.peak().problem()),
                group.peak().requestsPerSecond(),
                RowResponse.from(group.peak().row(), group.phase(), group.peak().problem()));
    }

    private static PeakResponse peak(Peak peak) {
        return new PeakResponse(
                peak.row().batchSize(),
                peak.row().concurrency(),
                peak.requestsPerSecond(),
                peak.row().figures().ttftMillis(),
                peak.row().figures().tpotMillis());
    }

    private Stream<InstanceResponse> instances() {
        return Stream.concat(
                result.instances().stream()
                        .map(peak -> new InstanceResponse(
                                peak.device().name(),
                                peak.size(),
                                PhaseName.of(peak.phase()),
                                ParallelResponse.from(peak.row().candidate()),
                                peak(peak),
                                null)),
                result.rejections().stream().map(CapacityResponses::rejected));
    }

    private static InstanceResponse rejected(InstanceRejection rejection) {
        return new InstanceResponse(
                rejection.device().name(),
                rejection.size(),
                PhaseName.of(rejection.phase()),
                rejection.nearest() == null
                        ? null
                        : ParallelResponse.from(rejection.nearest().candidate()),
                null,
                rejection.detail());
    }

    /// Of each phase that of the largest size, which is the last to be short of memory or time.
    private List<String> nearest(String device) {
        return Stream.of(Phase.values())
                .flatMap(phase -> result.rejections().stream()
                        .filter(rejection -> rejection.device().name().equals(device) && rejection.phase() == phase)
                        .max(Comparator.comparingInt(InstanceRejection::size))
                        .stream())
                .map(rejection -> CapacityAdvice.nearest(
                        device,
                        PhaseName.of(rejection.phase()),
                        rejection.size(),
                        rejection.detail() + widened(rejection)))
                .toList();
    }

    private String widened(InstanceRejection rejection) {
        RejectedCandidate nearest = rejection.nearest();
        return nearest == null
                ? ""
                : switch (nearest.reason()) {
                    case TTFT -> CapacityAdvice.ttft(PhaseName.of(rejection.phase()), problem.transfer());
                    case TPOT -> CapacityAdvice.tpot(problem.demand().limits());
                    case REQUEST_LATENCY -> CapacityAdvice.REQUEST_LATENCY;
                    case MEMORY -> CapacityAdvice.MEMORY;
                    case BATCH_RANGE -> CapacityAdvice.BATCH_RANGE;
                    case SEARCH -> "; another search.strategy may do";
                    case MODEL -> "";
                };
    }
}
