package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.CalibrationResponse;
import io.throughputoptimizer.api.result.figure.FeedbackResponse;
import io.throughputoptimizer.api.result.figure.SearchStatisticsResponse;
import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.capacity.CalibratedCapacityProblem;
import io.throughputoptimizer.core.capacity.CapacityProblem;
import io.throughputoptimizer.core.capacity.CapacityResult;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Answers of mode `capacity`, as they are sent and stored.
public final class CapacityResponses {
    private static final double NANOS_PER_MILLI = 1e6;

    private CapacityResponses() {}

    /// Maps what a search by the roofline found.
    ///
    /// @param elapsed how long it took
    public static ResultResponse from(CapacityProblem problem, CapacityResult result, Duration elapsed) {
        Demand demand = problem.demand();
        return response(
                WireFormat.name(problem.search().accounting()),
                null,
                new CapacityAnswer(
                        problem.devices().stream()
                                .map(device -> new DeviceResponse(
                                        device.name(), problem.available().of(device.name()), List.of(), null))
                                .toList(),
                        demand.objective(),
                        demand.limits(),
                        problem.transfer()),
                result,
                elapsed);
    }

    /// Maps what a search of measured devices found.
    ///
    /// @param elapsed how long it took
    public static ResultResponse from(CalibratedCapacityProblem problem, CapacityResult result, Duration elapsed) {
        CalibratedProblem measured = problem.measured();
        CalibratedDemand demand = measured.demand();
        return response(
                CalibratedResponses.STEADY,
                measured.coverage().share(),
                new CapacityAnswer(
                        measured.devices().stream()
                                .map(device -> device(device, measured))
                                .toList(),
                        demand.objective(),
                        demand.limits(),
                        problem.transfer()),
                result,
                elapsed);
    }

    private static DeviceResponse device(CalibratedDevice device, CalibratedProblem problem) {
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

    private static ResultResponse response(
            String accounting,
            @Nullable Double bandCoverage,
            CapacityAnswer answer,
            CapacityResult result,
            Duration elapsed) {
        return new ResultResponse(
                        ResultResponse.VERSION,
                        accounting,
                        answer.devices(),
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
                        bandCoverage,
                        null)
                .with(answer.of(result));
    }
}
