package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.PricedInstance;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.Optional;

/// Reasons why instances of a size are in no feasible pair on a kind of device.
///
/// @param measured problem of this kind of device only
record PairRejections(
        CalibratedCapacityProblem problem, CalibratedDevice device, CalibratedProblem measured, SearchGuard overseer) {

    /// Returns a rejection with the reason of the pair nearest to its violated limit.
    ///
    /// @param broken infeasible pairs of that size
    /// @param instances instances of that size that could be paired
    InstanceRejection of(Phase phase, int size, List<CalibratedPair> broken, List<PricedInstance> instances) {
        Optional<NearMiss> nearest = NearMiss.nearest(broken.stream()
                .map(pair -> new NearMiss(phase == Phase.PREFILL ? pair.prefill() : pair.decode(), pair.breaches())));
        return nearest.map(one -> one.rejects(device, phase, size))
                .orElseGet(() -> instances.isEmpty() ? impossible(phase, size) : lonely(phase, size));
    }

    private InstanceRejection lonely(Phase phase, int size) {
        return impossible(
                phase,
                size,
                phase == Phase.PREFILL
                        ? "there is no decode instance that it could feed"
                        : "there is no prefill instance that could feed it");
    }

    private InstanceRejection impossible(Phase phase, int size) {
        if (!problem.connects(device, size)) {
            return impossible(phase, size, problem.tooLarge(device, size));
        }
        int most = CalibratedPair.mostDevices(measured);
        if (size >= most) {
            return impossible(phase, size, "pairs of up to " + most + " devices are tried");
        }
        return PricedInstance.all(measured, size, phase, overseer::checkpoint).stream()
                .flatMap(instance -> instance
                        .lackOfRoomForAPrompt(measured.demand().traffic().mean())
                        .stream()
                        .map(lack -> new NearMiss(instance, List.of(lack))))
                .findFirst()
                .map(first -> first.rejects(device, phase, size))
                .orElseGet(() -> impossible(phase, size, obstacle(size)));
    }

    private InstanceRejection impossible(Phase phase, int size, String reason) {
        return InstanceRejection.impossible(device.name(), phase, size, reason);
    }

    private String obstacle(int size) {
        return measured.instanceLayouts(size).stream()
                .flatMap(layout -> {
                    overseer.checkpoint();
                    return device.deploymentApart(measured.model(), layout).servingObstacle().stream();
                })
                .map(Obstacle::reason)
                .findFirst()
                .orElse(CalibratedCapacityProblem.NO_LAYOUT);
    }
}
