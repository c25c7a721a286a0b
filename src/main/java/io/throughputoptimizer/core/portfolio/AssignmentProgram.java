package io.throughputoptimizer.core.portfolio;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.capacity.ServingUnit;
import io.throughputoptimizer.core.portfolio.IntegerProgram.Term;
import io.throughputoptimizer.core.portfolio.Portfolio.DeviceKind;
import io.throughputoptimizer.core.portfolio.Portfolio.NodeLevels;
import io.throughputoptimizer.core.portfolio.Portfolio.Service;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The program of units that run at the same time: `x` of each unit, with
///
/// - `sum ability x >= need` of each service, or of its share of the need that is served,
/// - `sum replicas x >= least replicas` of each service,
/// - `sum devices x <= devices` of each kind, and the same of instances of each size in its nodes.
///
/// Used by one thread, once.
final class AssignmentProgram {
    private final Portfolio portfolio;
    private final IntegerProgram.Builder builder = new IntegerProgram.Builder();
    private final List<List<Integer>> places = new ArrayList<>();
    /// Variables that count devices or nodes besides the stock, by name of their kind.
    private final Map<String, Integer> added = new HashMap<>();

    /// What shares of needs are worth.
    ///
    /// @param needs of each service, to be planned for
    /// @param values what serving all of them is worth
    record Level(List<Double> needs, List<Double> values) {}

    /// @param needs of each service, at the most
    /// @param most units that there may be; absent where the stock alone says it
    /// @param paid whether devices are what counts
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

    /// No plan needs more of one unit than would do alone.
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

    /// All needs are served.
    ///
    /// @param needs of each service
    /// @param margins by which more is asked for, so that rounding in a solver leaves enough
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

    /// As much as possible is served, by its value.
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

    /// More devices of a kind can be had.
    ///
    /// @param cost of one more, or of one more node
    AssignmentProgram adding(DeviceKind kind, double cost) {
        added.put(kind.name(), builder.whole(Double.POSITIVE_INFINITY, cost));
        return this;
    }

    /// The stock holds the instances.
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

    /// Nothing that costs more is looked for.
    AssignmentProgram below(double cost) {
        builder.costsAtMost(cost);
        return this;
    }

    /// More devices of a kind are taken than there were: what takes no more was to be had before.
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

    /// Devices of a kind besides the stock, in devices or nodes.
    int added(DeviceKind kind, List<Double> values) {
        return Math.toIntExact(Math.round(values.get(requireNonNull(added.get(kind.name())))));
    }
}
