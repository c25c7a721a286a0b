package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.CalibratedBinds;
import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.PricedInstance;
import io.throughputoptimizer.core.capacity.InstanceRejection.NearestDeployment;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A calibrated instance that violates limits.
record NearMiss(PricedInstance instance, List<Breach> breaches) {

    /// Returns the instance nearest to its limit, or empty if none violates a limit.
    static Optional<NearMiss> nearest(Stream<NearMiss> all) {
        return all.filter(one -> !one.breaches.isEmpty()).min(Comparator.comparingDouble(NearMiss::excess));
    }

    /// Returns the figure of the first violated limit as a multiple of the limit.
    private double excess() {
        Breach breach = breaches.getFirst();
        return breach.allowed() > 0 ? breach.value() / breach.allowed() : Double.POSITIVE_INFINITY;
    }

    InstanceRejection rejects(CalibratedDevice device, Phase phase, int size) {
        Breach first = breaches.getFirst();
        return new InstanceRejection(
                device.name(),
                phase,
                size,
                new NearestDeployment(instance.deployment()),
                CalibratedBinds.of(first),
                instance.shortage(breaches)
                        .map(memory -> LimitBreach.shortage(
                                memory.deviceBytes(),
                                memory.weightBytes(),
                                memory.engineBytes(),
                                memory.requestBytes()))
                        .orElseGet(() -> LimitBreach.description(first, null)));
    }
}
