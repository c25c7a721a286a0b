package io.throughputoptimizer.core.portfolio;

import io.throughputoptimizer.core.capacity.ServingUnits.ServingUnit;
import io.throughputoptimizer.core.portfolio.Portfolio.Service;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;

/// Numbers of units of each service.
///
/// @param ofServices unit counts of each service, in the order of the portfolio's services and units
public record Counts(List<List<Integer>> ofServices) {
    public Counts {
        ofServices = ofServices.stream().map(List::copyOf).toList();
    }

    static Counts none(List<Service> services) {
        return new Counts(services.stream()
                .map(service -> service.units().stream().map(_ -> 0).toList())
                .toList());
    }

    /// Returns the larger count of each unit.
    Counts most(Counts other) {
        return new Counts(IntStream.range(0, ofServices.size())
                .mapToObj(place -> IntStream.range(0, ofServices.get(place).size())
                        .mapToObj(unit -> Math.max(
                                ofServices.get(place).get(unit),
                                other.ofServices.get(place).get(unit)))
                        .toList())
                .toList());
    }

    /// Returns the exact total ability of a service's units.
    BigDecimal ability(int place, Service service) {
        BigDecimal ability = BigDecimal.ZERO;
        for (int unit = 0; unit < service.units().size(); unit++) {
            ability = ability.add(BigDecimal.valueOf(service.units().get(unit).ability())
                    .multiply(BigDecimal.valueOf(ofServices.get(place).get(unit))));
        }
        return ability;
    }

    /// Returns the devices of a kind that the units take.
    public int devices(List<Service> services, String device) {
        int devices = 0;
        for (int place = 0; place < services.size(); place++) {
            List<ServingUnit> units = services.get(place).units();
            for (int unit = 0; unit < units.size(); unit++) {
                devices += units.get(unit).device().equals(device)
                        ? units.get(unit).devices() * ofServices.get(place).get(unit)
                        : 0;
            }
        }
        return devices;
    }
}
