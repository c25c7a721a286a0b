package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import io.throughputoptimizer.api.result.CapacityResponse.InstanceResponse;
import io.throughputoptimizer.api.result.CapacityResponse.LeftOutResponse;
import io.throughputoptimizer.api.result.CapacityResponse.PeakResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.CalibrationResponse;
import io.throughputoptimizer.api.result.figure.FeedbackResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.api.result.figure.SearchStatisticsResponse;
import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.MeasuredCapacityPlan;
import io.throughputoptimizer.core.capacity.MeasuredCapacityResult;
import io.throughputoptimizer.core.capacity.MeasuredPairPlan;
import io.throughputoptimizer.core.capacity.MeasuredPlan;
import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.measured.MeasuredRow;
import io.throughputoptimizer.core.steady.SteadyFigures;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Answers of mode `capacity` about measured devices.
public final class MeasuredCapacityResponses {
    private static final double NANOS_PER_MILLI = 1e6;

    private final MeasuredCapacityResult result;
    private final MeasuredProblem problem;

    private MeasuredCapacityResponses(MeasuredCapacityResult result) {
        this.result = result;
        this.problem = result.problem().measured();
    }

    /// Maps what the search found.
    ///
    /// @param elapsed how long it took
    public static ResultResponse from(MeasuredCapacityResult result, Duration elapsed) {
        MeasuredProblem problem = result.problem().measured();
        return new ResultResponse(
                        ResultResponse.VERSION,
                        MeasuredResponses.STEADY,
                        problem.devices().stream()
                                .map(device -> device(device, problem))
                                .toList(),
                        null,
                        null,
                        new SearchStatisticsResponse(
                                Math.toIntExact(result.problem().candidates()),
                                result.points(),
                                0,
                                elapsed.toNanos() / NANOS_PER_MILLI,
                                null,
                                null,
                                null),
                        null,
                        problem.coverage().share(),
                        null)
                .with(new MeasuredCapacityResponses(result).all());
    }

    private static DeviceResponse device(MeasuredDevice device, MeasuredProblem problem) {
        return new DeviceResponse(
                        device.name(),
                        problem.available().of(device.name()),
                        null,
                        List.of(),
                        null,
                        CalibrationResponse.from(List.of(device.calibration()), device.engine(), List.of()),
                        EngineRequest.of(device.with(device.engine().servingEither(problem.model()))),
                        device.precision().scheme())
                .with(FeedbackResponse.of(device.learnt()));
    }

    private CapacityResponse all() {
        return new CapacityAnswer<MeasuredPlan>(
                        problem.devices().stream().map(MeasuredDevice::name).toList(),
                        problem.available(),
                        problem.demand().objective(),
                        problem.demand().limits(),
                        result.problem().transfer(),
                        this::groups)
                .of(
                        new CapacityAnswer.Found<>(
                                result.plans(), result.reaches(), result.beyond(), result.rejections(), result.curve()),
                        instances(),
                        leftOut());
    }

    private List<LeftOutResponse> leftOut() {
        if (result.skippedPairs() > 0) {
            return apart(result.skippedPairs()
                    + " pairs of layouts, because there are too many: fewer instance_sizes compare them all");
        }
        if (!result.problem().comparesPairs()) {
            return apart("since feedback corrects instances that do prefill and decode only");
        }
        return result.pairs() ? List.of() : apart("no prefill and decode instances keep the limits together");
    }

    private static List<LeftOutResponse> apart(String reason) {
        return List.of(new LeftOutResponse(WireFormat.name(Kind.DISAGGREGATED), reason));
    }

    private List<GroupResponse> groups(MeasuredPlan plan) {
        return switch (plan) {
            case MeasuredCapacityPlan together -> List.of(group(together));
            case MeasuredPairPlan apart -> groups(apart);
        };
    }

    private GroupResponse group(MeasuredCapacityPlan plan) {
        return new GroupResponse(
                PhaseName.AGGREGATION,
                plan.count(),
                plan.instance().size(),
                plan.utilization(),
                row(plan, plan.instance().loadRow(plan.load(), plan.peak())),
                plan.instanceMostRequestsPerSecond(),
                row(plan, plan.instance().peakRow(plan.peak())));
    }

    private List<GroupResponse> groups(MeasuredPairPlan plan) {
        PairSideResponses load = PairSideResponses.of(problem, plan, plan.load());
        PairSideResponses peak = PairSideResponses.of(problem, plan, plan.peak());
        return List.of(
                new GroupResponse(
                        PhaseName.PREFILL,
                        plan.counts().prefill(),
                        plan.pair().prefillSize(),
                        plan.utilization(),
                        load.prefill(),
                        plan.mostRequestsPerSecond() / plan.counts().prefill(),
                        peak.prefill()),
                new GroupResponse(
                        PhaseName.DECODE,
                        plan.counts().decode(),
                        plan.pair().decodeSize(),
                        plan.utilization(),
                        load.decode(),
                        plan.mostRequestsPerSecond() / plan.counts().decode(),
                        peak.decode()));
    }

    /// Of one instance, of which as many are counted as its most asks for.
    private RowResponse row(MeasuredCapacityPlan plan, MeasuredRow row) {
        return MeasuredResponses.row(
                row,
                null,
                new MeasuredResponses.Asked(problem, plan.instance().device().name()),
                plan.peak().concurrency());
    }

    private Stream<InstanceResponse> instances() {
        return result.instances().stream().map(MeasuredCapacityResponses::instance);
    }

    private static InstanceResponse instance(MeasuredCapacityPlan plan) {
        SteadyFigures peak = plan.peak();
        return new InstanceResponse(
                plan.instance().device().name(),
                plan.instance().size(),
                PhaseName.AGGREGATION,
                ParallelResponse.from(plan.instance().priced().deployment()),
                new PeakResponse(
                        (long) peak.concurrency(),
                        ((long) peak.concurrency()) * plan.instance().priced().ranks(),
                        plan.instanceMostRequestsPerSecond(),
                        peak.ttft().benchmarkMillis(),
                        peak.tpotMillis()),
                null);
    }
}
