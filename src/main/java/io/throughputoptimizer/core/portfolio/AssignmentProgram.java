package io.throughputoptimizer.core.portfolio;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.capacity.ServingUnits.ServingUnit;
import io.throughputoptimizer.core.portfolio.IntegerProgram.Term;
import io.throughputoptimizer.core.portfolio.Portfolio.DeviceKind;
import io.throughputoptimizer.core.portfolio.Portfolio.NodeLevels;
import io.throughputoptimizer.core.portfolio.Portfolio.Service;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Integer program of units that run at the same time: `x` of each unit, with
///
/// - `sum ability x >= need` of each service, or of the served share of its need,
/// - `sum replicas x >= least replicas` of each service,
/// - `sum devices x <= devices` of each kind, and likewise for instances of each size in its nodes.
///
/// Used by one thread, once.
final class AssignmentProgram {
    private final Portfolio portfolio;
    private final IntegerProgram.Builder builder = new IntegerProgram.Builder();
    private final List<List<Integer>> places = new ArrayList<>();
    /// Variables that count devices or nodes beyond the stock, by name of their kind.
    private final Map<String, Integer> added = new HashMap<>();

    /// Values of served shares of needs.
    ///
    /// @param needs planned need of each service
    /// @param values value of serving the whole need of each service
    record Level(List<Double> needs, List<Double> values) {}

    /// Creates a program of unit counts and replica minimums.
    ///
    /// @param needs highest need of each service
    /// @param most upper bounds of the unit counts; absent if only the stock limits them
    /// @param paid whether the cost of devices is minimized
    AssignmentProgram(Portfolio portfolio, List<Double> needs, @Nullable Counts most, boolean paid) {
        this.portfolio = portfolio;
        for (int place = 0; place < portfolio.services().size(); place++) {
            Service service = portfolio.services().get(place);
            List<Integer> ofService = new ArrayList<>();
            for (int unit = 0; unit < service.units().size(); unit++) {
                ServingUnit one = service.units().get(unit);
                double upper = most == null
                        ? useful(service, one, needs.get(place))
                        : most.ofServices().get(place).get(unit);
                ofService.add(builder.whole(
                        upper, paid ? one.devices() * portfolio.kind(one).pricePerHour() : 0));
            }
            places.add(ofService);
        }
        for (int place = 0; place < portfolio.services().size(); place++) {
            Service service = portfolio.services().get(place);
            if (service.leastReplicas() > 0) {
                builder.atLeast(service.leastReplicas(), terms(place, service, ServingUnit::replicas));
            }
        }
    }

    /// Returns the count of a unit that serves the need alone; no plan needs more.
    private static double useful(Service service, ServingUnit unit, double need) {
        double serving = Math.ceil(need / unit.ability() * (1 + 1e-9));
        return Math.max(serving, Math.ceilDiv(service.leastReplicas(), unit.replicas()));
    }

    @FunctionalInterface
    private interface Factor {
        double of(ServingUnit unit);
    }

    private List<Term> terms(int place, Service service, Factor factor) {
        List<Term> terms = new ArrayList<>();
        for (int unit = 0; unit < service.units().size(); unit++) {
            double value = factor.of(service.units().get(unit));
            if (value != 0) {
                terms.add(new Term(places.get(place).get(unit), value));
            }
        }
        return terms;
    }

    /// Requires that all needs are served.
    ///
    /// @param needs need of each service
    /// @param margins factors of the needs, so that rounding in the solver leaves enough
    AssignmentProgram serving(List<Double> needs, List<Double> margins) {
        for (int place = 0; place < needs.size(); place++) {
            double need = needs.get(place) * margins.get(place);
            if (need > 0) {
                Service service = portfolio.services().get(place);
                builder.atLeast(1, terms(place, service, unit -> unit.ability() / need));
            }
        }
        return this;
    }

    /// Maximizes the value of what is served.
    AssignmentProgram servingMost(List<Level> levels) {
        for (Level level : levels) {
            for (int place = 0; place < level.needs.size(); place++) {
                double need = level.needs.get(place);
                if (need > 0) {
                    Service service = portfolio.services().get(place);
                    List<Term> terms = new ArrayList<>(terms(place, service, unit -> unit.ability() / need));
                    terms.add(new Term(builder.share(-level.values.get(place)), -1));
                    builder.atLeast(0, terms);
                }
            }
        }
        return this;
    }

    /// Allows devices of a kind beyond the stock.
    ///
    /// @param cost cost of one more device, or of one more node
    AssignmentProgram adding(DeviceKind kind, double cost) {
        added.put(kind.name(), builder.whole(Double.POSITIVE_INFINITY, cost));
        return this;
    }

    /// Requires that the stock holds the instances.
    AssignmentProgram within(List<DeviceKind> stock) {
        for (DeviceKind kind : stock) {
            NodeLevels levels = NodeLevels.of(kind, portfolio.services());
            for (int size : levels.sizes()) {
                List<Term> terms = new ArrayList<>();
                for (int place = 0; place < portfolio.services().size(); place++) {
                    terms.addAll(terms(
                            place,
                            portfolio.services().get(place),
                            unit -> unit.device().equals(kind.name()) ? levels.taken(unit, size) : 0));
                }
                Integer more = added.get(kind.name());
                if (more != null) {
                    terms.add(new Term(more, -levels.added(size)));
                }
                if (!terms.isEmpty()) {
                    builder.atMost(levels.available(size), terms);
                }
            }
        }
        return this;
    }

    /// Limits the cost.
    AssignmentProgram below(double cost) {
        builder.costsAtMost(cost);
        return this;
    }

    /// Requires more devices of a kind than the stock had; fewer were possible before.
    AssignmentProgram beyond(DeviceKind kind) {
        List<Term> terms = new ArrayList<>();
        for (int place = 0; place < portfolio.services().size(); place++) {
            terms.addAll(terms(
                    place,
                    portfolio.services().get(place),
                    unit -> unit.device().equals(kind.name()) ? unit.devices() : 0));
        }
        builder.atLeast(kind.count() + 1, terms);
        return this;
    }

    IntegerProgram build() {
        return builder.build();
    }

    Counts counts(List<Double> values) {
        return new Counts(places.stream()
                .map(ofService -> ofService.stream()
                        .map(place -> Math.toIntExact(Math.round(values.get(place))))
                        .toList())
                .toList());
    }

    /// Returns the number of added devices or nodes of a kind.
    int added(DeviceKind kind, List<Double> values) {
        return Math.toIntExact(Math.round(values.get(requireNonNull(added.get(kind.name())))));
    }
}
