package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CapacityResult.CurvePoint;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Deployments of some kinds on one kind of device. Methods must be called once each, in the order below. Not
/// thread-safe.
interface DevicePlans {
    /// Returns the plans within the devices available.
    List<DemandPlan> plans();

    /// Returns the best plan of each kind that needs more devices than available.
    Stream<DemandPlan> beyond();

    /// Returns the plans of the largest demand that the devices available serve, by kind.
    Stream<DemandPlan> reaches();

    /// Returns the fewest devices for demands up to a multiple of the requested one.
    Stream<CurvePoint> curve();

    /// Results of all kinds of device.
    record Compared(
            List<DemandPlan> plans, List<DemandPlan> beyond, List<DemandPlan> reaches, List<CurvePoint> curve) {}

    /// @param devices deployments of every kind on each kind of device
    /// @param order comparator with the best plan first
    /// @param drawn true to compute the curves, which take longer than plans
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
