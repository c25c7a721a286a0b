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
import io.throughputoptimizer.core.capacity.Peak;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import java.time.Duration;
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
                        problem.transfer(),
                        plan -> plan.groups().stream()
                                .map(CapacityResponses::group)
                                .toList())
                .of(
                        new CapacityAnswer.Found<>(
                                result.plans(), result.reaches(), result.beyond(), result.rejections(), result.curve()),
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
        return result.instances().stream()
                .map(peak -> new InstanceResponse(
                        peak.device().name(),
                        peak.size(),
                        PhaseName.of(peak.phase()),
                        ParallelResponse.from(peak.row().candidate()),
                        peak(peak),
                        null));
    }
}
