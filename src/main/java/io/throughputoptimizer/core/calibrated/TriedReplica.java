package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.replica.CacheRoom;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.stream.Stream;

/// An instance that a calibrated search tries, independent of the workload.
public record TriedReplica(CalibratedDevice device, Phase phase, CalibratedDeployment deployment) {

    /// Returns all instances that a problem tries, by kind of device, phase and layout.
    public static Stream<TriedReplica> of(CalibratedProblem problem) {
        Pairing instances = problem.instances();
        return problem.devices().stream()
                .flatMap(device -> instances == null
                        ? all(device, Phase.AGGREGATION, problem.deployments(device))
                        : Stream.concat(
                                apart(
                                        problem,
                                        device,
                                        Phase.PREFILL,
                                        instances.prefillSizes(device.name(), problem.available())),
                                apart(
                                        problem,
                                        device,
                                        Phase.DECODE,
                                        instances.decodeSizes(device.name(), problem.available()))));
    }

    /// Returns the instances of given deployments.
    public static Stream<TriedReplica> all(
            CalibratedDevice device, Phase phase, List<CalibratedDeployment> deployments) {
        return deployments.stream().map(deployment -> new TriedReplica(device, phase, deployment));
    }

    /// Returns the instances of one disaggregated phase.
    ///
    /// @param sizes devices of an instance
    public static Stream<TriedReplica> apart(
            CalibratedProblem problem, CalibratedDevice device, Phase phase, List<Integer> sizes) {
        return sizes.stream().flatMap(size -> all(device, phase, problem.instancesApart(device, size, phase)));
    }

    /// Returns the requests that fit its memory.
    ///
    /// @throws IllegalArgumentException if the deployment is not supported
    public CacheRoom room() {
        return new CacheRoom(deployment, phase);
    }
}
