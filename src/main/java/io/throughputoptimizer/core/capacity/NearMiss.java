package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.InstanceRejection.NearestDeployment;
import io.throughputoptimizer.core.measured.MeasuredBinds;
import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.measured.PricedInstance;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.steady.Breach;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// An instance on a measured device that breaks limits.
record NearMiss(PricedInstance instance, List<Breach> breaches) {

    /// The one whose figure is nearest to its limit; empty where none breaks any.
    static Optional<NearMiss> nearest(Stream<NearMiss> all) {
        return all.filter(one -> !one.breaches.isEmpty()).min(Comparator.comparingDouble(NearMiss::excess));
    }

    /// The figure of the first limit that it breaks as a multiple of that.
    private double excess() {
        Breach breach = breaches.getFirst();
        return breach.allowed() > 0 ? breach.value() / breach.allowed() : Double.POSITIVE_INFINITY;
    }

    InstanceRejection rejects(MeasuredDevice device, Phase phase, int size) {
        Breach first = breaches.getFirst();
        return new InstanceRejection(
                device.name(),
                phase,
                size,
                new NearestDeployment(instance.deployment()),
                MeasuredBinds.of(first),
                instance.shortage(breaches)
                        .map(memory -> LimitBreach.shortage(
                                memory.deviceBytes(),
                                memory.weightBytes(),
                                memory.engineBytes(),
                                memory.requestBytes()))
                        .orElseGet(() -> LimitBreach.description(first, null)));
    }
}
