package io.throughputoptimizer.core.portfolio;

import io.throughputoptimizer.core.capacity.ServingUnits.ServingUnit;
import io.throughputoptimizer.core.portfolio.Portfolio.Assignment;
import io.throughputoptimizer.core.portfolio.Portfolio.DeviceKind;
import io.throughputoptimizer.core.portfolio.Portfolio.Service;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// All assignments of a small portfolio, one by one; instances are laid into nodes by trying.
///
/// @param stock instead of that of the portfolio
record EveryAssignment(Portfolio portfolio, List<DeviceKind> stock) {

    /// The least cost of a day; infinite where not all can be served.
    double leastCost() {
        return portfolio.assignment() == Assignment.FIXED
                ? Portfolio.HOURS
                        * leastCost(
                                portfolio.services().stream().map(Service::most).toList())
                : sumOfHours(this::leastCost);
    }

    /// The most that can be served, by weight; negative where the replicas do not fit.
    double mostServed() {
        if (portfolio.assignment() == Assignment.HOURLY) {
            double sum = 0;
            for (int hour = 0; hour < Portfolio.HOURS; hour++) {
                double[] best = {-1};
                int at = hour;
                all(counts -> best[0] = Math.max(best[0], served(counts, at)));
                if (best[0] < 0) {
                    return -1;
                }
                sum += best[0];
            }
            return sum;
        }
        double[] best = {-1};
        all(counts -> {
            double sum = 0;
            for (int hour = 0; hour < Portfolio.HOURS; hour++) {
                sum += served(counts, hour);
            }
            best[0] = Math.max(best[0], sum);
        });
        return best[0];
    }

    private interface Hourly {
        double of(List<Double> needs);
    }

    private double sumOfHours(Hourly figure) {
        double sum = 0;
        for (int hour = 0; hour < Portfolio.HOURS; hour++) {
            int at = hour;
            sum += figure.of(portfolio.services().stream()
                    .map(service -> service.needs().get(at))
                    .toList());
        }
        return sum;
    }

    private double leastCost(List<Double> needs) {
        double[] least = {Double.POSITIVE_INFINITY};
        all(counts -> {
            for (int place = 0; place < needs.size(); place++) {
                if (ability(place, counts.get(place)).compareTo(BigDecimal.valueOf(needs.get(place))) < 0) {
                    return;
                }
            }
            double cost = 0;
            for (DeviceKind kind : stock) {
                cost += kind.pricePerHour() * new Counts(counts).devices(portfolio.services(), kind.name());
            }
            least[0] = Math.min(least[0], cost);
        });
        return least[0];
    }

    private BigDecimal ability(int place, List<Integer> counts) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int unit = 0; unit < counts.size(); unit++) {
            sum = sum.add(BigDecimal.valueOf(
                            portfolio.services().get(place).units().get(unit).ability())
                    .multiply(BigDecimal.valueOf(counts.get(unit))));
        }
        return sum;
    }

    private double served(List<List<Integer>> counts, int hour) {
        double sum = 0;
        for (int place = 0; place < counts.size(); place++) {
            Service service = portfolio.services().get(place);
            double day =
                    service.needs().stream().mapToDouble(Double::doubleValue).sum();
            double need = service.needs().get(hour);
            sum += day == 0
                    ? 0
                    : service.weight()
                            * Math.min(need, ability(place, counts.get(place)).doubleValue())
                            / day;
        }
        return sum;
    }

    /// Each that the stock holds, and that keeps the replicas.
    private void all(Consumer<List<List<Integer>>> consumer) {
        Map<String, Integer> room = new HashMap<>();
        stock.forEach(kind -> room.put(kind.name(), kind.count()));
        choose(0, new ArrayList<>(), room, counts -> {
            if (keepsReplicas(counts) && stock.stream().allMatch(kind -> holds(kind, counts))) {
                consumer.accept(counts);
            }
        });
    }

    private void choose(
            int place, List<List<Integer>> chosen, Map<String, Integer> room, Consumer<List<List<Integer>>> consumer) {
        if (place == portfolio.services().size()) {
            consumer.accept(List.copyOf(chosen));
            return;
        }
        Service service = portfolio.services().get(place);
        counts(service, 0, new ArrayList<>(), room, counts -> {
            chosen.add(counts);
            choose(place + 1, chosen, room, consumer);
            chosen.removeLast();
        });
    }

    private void counts(
            Service service,
            int unit,
            List<Integer> chosen,
            Map<String, Integer> room,
            Consumer<List<Integer>> consumer) {
        if (unit == service.units().size()) {
            consumer.accept(List.copyOf(chosen));
            return;
        }
        ServingUnit one = service.units().get(unit);
        int there = room.getOrDefault(one.device(), 0);
        for (int count = 0; count * one.devices() <= there; count++) {
            chosen.add(count);
            room.put(one.device(), there - count * one.devices());
            counts(service, unit + 1, chosen, room, consumer);
            room.put(one.device(), there);
            chosen.removeLast();
        }
    }

    private boolean keepsReplicas(List<List<Integer>> counts) {
        for (int place = 0; place < counts.size(); place++) {
            Service service = portfolio.services().get(place);
            int replicas = 0;
            for (int unit = 0; unit < service.units().size(); unit++) {
                replicas +=
                        service.units().get(unit).replicas() * counts.get(place).get(unit);
            }
            if (replicas < service.leastReplicas()) {
                return false;
            }
        }
        return true;
    }

    private boolean holds(DeviceKind kind, List<List<Integer>> counts) {
        List<Integer> instances = new ArrayList<>();
        for (int place = 0; place < counts.size(); place++) {
            Service service = portfolio.services().get(place);
            for (int unit = 0; unit < service.units().size(); unit++) {
                ServingUnit one = service.units().get(unit);
                if (one.device().equals(kind.name())) {
                    for (ServingUnit.Part part : one.parts()) {
                        instances.addAll(Collections.nCopies(
                                part.count() * counts.get(place).get(unit), part.size()));
                    }
                }
            }
        }
        Integer node = kind.perNode();
        if (node == null) {
            return instances.stream().mapToInt(Integer::intValue).sum() <= kind.count();
        }
        int whole = instances.stream()
                .filter(size -> size > node)
                .mapToInt(size -> Math.ceilDiv(size, node))
                .sum();
        int nodes = kind.count() / node - whole;
        return nodes >= 0
                && laid(
                        instances.stream()
                                .filter(size -> size <= node)
                                .sorted(Collections.reverseOrder())
                                .toList(),
                        0,
                        new ArrayList<>(Collections.nCopies(nodes, node)));
    }

    private static boolean laid(List<Integer> instances, int first, List<Integer> room) {
        if (first == instances.size()) {
            return true;
        }
        int size = instances.get(first);
        for (int node = 0; node < room.size(); node++) {
            if (room.get(node) >= size && room.indexOf(room.get(node)) == node) {
                room.set(node, room.get(node) - size);
                if (laid(instances, first + 1, room)) {
                    return true;
                }
                room.set(node, room.get(node) + size);
            }
        }
        return false;
    }
}
