package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.OptimizationResult.PdRatioResult;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.fixture.LinearEstimator;
import java.util.List;
import java.util.Objects;

/// Searches with an estimator of straight lines: prefill takes 1 ms and 0.01 ms a token, decode 1 ms and 0.1 ms a
/// request, and memory is never short.
final class Searches {
    static final LinearEstimator.Latency LATENCY = new LinearEstimator.Latency(1, 0.01, 1, 0.1, 0);
    static final LinearEstimator.Memory ROOMY = new LinearEstimator.Memory(64, 10, 8, 0);

    private Searches() {}

    static LinearEstimator estimator() {
        return new LinearEstimator(LATENCY, ROOMY);
    }

    /// The same latencies with room for so many tokens in a pass.
    static LinearEstimator roomFor(int tokens) {
        return new LinearEstimator(LATENCY, new LinearEstimator.Memory(64, 10, 8, 46.0 / tokens));
    }

    /// The same latencies with weights that leave no room at all.
    static LinearEstimator withoutRoom() {
        return new LinearEstimator(LATENCY, new LinearEstimator.Memory(64, 10, 70, 0));
    }

    static ProblemBuilder aggregation() {
        return ProblemBuilder.problem().mode(SearchMode.AGGREGATION);
    }

    static ProblemBuilder pdRatio(int prefillDevices, int decodeDevices) {
        return ProblemBuilder.problem().mode(SearchMode.PD_RATIO).instances(prefillDevices, decodeDevices);
    }

    static OptimizationResult optimize(ForwardEstimator estimator, ProblemBuilder problem) {
        return new Optimizer(estimator).optimize(problem.build(), SearchMonitor.SILENT);
    }

    static DeviceResult onlyDevice(ForwardEstimator estimator, ProblemBuilder problem) {
        List<DeviceResult> devices = optimize(estimator, problem).devices();
        assertThat(devices).hasSize(1);
        return devices.getFirst();
    }

    static PhaseResult onlyPhase(ForwardEstimator estimator, ProblemBuilder problem) {
        List<PhaseResult> phases = onlyDevice(estimator, problem).phases();
        assertThat(phases).hasSize(1);
        return phases.getFirst();
    }

    static PdRatioResult ratio(DeviceResult device) {
        return Objects.requireNonNull(device.pdRatio());
    }
}
