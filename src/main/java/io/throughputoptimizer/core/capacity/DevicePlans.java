package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityResult.CurvePoint;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Deployments of some kinds on one kind of device. Asked once each, in the order below; used by one thread.
interface DevicePlans {
    /// Those within the devices available.
    List<DemandPlan> plans();

    /// The best of each kind, which takes more devices than there are.
    Stream<DemandPlan> beyond();

    /// What the devices available serve at most, by kind of deployment.
    Stream<DemandPlan> reaches();

    /// Fewest devices for demands up to some times that which is asked for.
    Stream<CurvePoint> curve();

    /// What was found on all kinds of device.
    record Compared(
            List<DemandPlan> plans, List<DemandPlan> beyond, List<DemandPlan> reaches, List<CurvePoint> curve) {}

    /// @param devices deployments of every kind on each kind of device
    /// @param order the best plan first
    /// @param drawn whether anybody looks at the curves, which take longer than plans
    static Compared compared(List<List<DevicePlans>> devices, Comparator<DemandPlan> order, boolean drawn) {
        List<List<DevicePlans>> unserved = devices.stream()
                .filter(kinds -> kinds.stream().allMatch(one -> one.plans().isEmpty()))
                .toList();
        return new Compared(
                all(devices).flatMap(one -> one.plans().stream()).sorted(order).toList(),
                all(unserved).flatMap(DevicePlans::beyond).sorted(order).toList(),
                all(unserved).flatMap(DevicePlans::reaches).toList(),
                drawn ? all(devices).flatMap(DevicePlans::curve).toList() : List.of());
    }

    private static Stream<DevicePlans> all(List<List<DevicePlans>> devices) {
        return devices.stream().flatMap(List::stream);
    }
}
