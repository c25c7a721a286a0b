package io.throughputoptimizer.core.portfolio;

import io.throughputoptimizer.core.capacity.ServingUnits.ServingUnit;
import io.throughputoptimizer.core.portfolio.Portfolio.DeviceKind;
import io.throughputoptimizer.core.portfolio.Portfolio.NodeLevels;
import io.throughputoptimizer.core.portfolio.Portfolio.Service;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Filters the units of a service that a plan might need. Drops a unit that copies of another can replace: they
/// serve at least as much, count as at least as many replicas and take no more devices, at any level of the
/// nodes.
final class UsefulUnits {
    private UsefulUnits() {}

    /// Returns the useful units.
    ///
    /// @param most maximum units per kind of device; beyond it those with the highest ability per device stay
    static List<ServingUnit> of(List<ServingUnit> units, List<DeviceKind> stock, int most) {
        return stock.stream()
                .flatMap(kind -> of(
                        units.stream()
                                .filter(unit -> unit.device().equals(kind.name()))
                                .toList(),
                        kind,
                        most))
                .toList();
    }

    private static Stream<ServingUnit> of(List<ServingUnit> units, DeviceKind kind, int most) {
        Service alone = new Service("", Collections.nCopies(Portfolio.HOURS, 0.0), 1, 0, units);
        NodeLevels levels = NodeLevels.of(kind, List.of(alone));
        return units.stream()
                .filter(unit -> units.stream().noneMatch(other -> replaces(other, unit, levels, units)))
                .sorted(Comparator.comparingDouble(unit -> unit.devices() / unit.ability()))
                .limit(most);
    }

    private static boolean replaces(ServingUnit one, ServingUnit unit, NodeLevels levels, List<ServingUnit> units) {
        int times = unit.devices() / one.devices();
        boolean does = times >= 1
                && one.ability() * times >= unit.ability()
                && one.replicas() * times >= unit.replicas()
                && levels.sizes().stream()
                        .allMatch(size -> levels.taken(one, size) * times <= levels.taken(unit, size));
        return does && !(isAlike(one, unit) && units.indexOf(one) >= units.indexOf(unit));
    }

    /// Returns whether two units replace each other; the first of them stays.
    private static boolean isAlike(ServingUnit one, ServingUnit unit) {
        return one.devices() == unit.devices() && one.ability() == unit.ability() && one.replicas() == unit.replicas();
    }
}
