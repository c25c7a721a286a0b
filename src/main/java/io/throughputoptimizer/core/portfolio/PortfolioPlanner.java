package io.throughputoptimizer.core.portfolio;

import io.throughputoptimizer.core.portfolio.AssignmentProgram.Level;
import io.throughputoptimizer.core.portfolio.Portfolio.Assignment;
import io.throughputoptimizer.core.portfolio.Portfolio.Service;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Hour;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.KindPlan;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.More;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Outcome;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Proven;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Assigns units of services to a stock of devices: the cheapest units that serve all demand, or if the stock
/// does not suffice, units that serve the most by weight, and among them the cheapest. Used by one thread, for
/// one portfolio.
///
/// A fixed assignment is one program of the largest needs; an hourly assignment is one program per hour, and
/// equal hours are solved once.
public final class PortfolioPlanner {
    /// Share of the total time that finds the plan; the rest is for the marginal values and missing devices.
    private static final double FOR_PLAN = 0.6;

    /// Share of the plan's time that looks for a cheaper plan with the same service.
    private static final double FOR_CHEAPER = 0.3;

    /// Share of the total time that finds units for every hour before hours are planned separately.
    private static final double FOR_MOST = 0.2;

    private final Portfolio portfolio;
    private final List<Service> services;
    private final MomentPlanner moments;
    private final ProgramSolver solver;

    /// Hours in which each service needs the same.
    ///
    /// @param needs needs of the services; their maximum if the moment is the whole day
    /// @param levels values of served shares of the needs
    record Moment(List<Double> needs, List<Integer> hours, List<Level> levels) {}

    private PortfolioPlanner(Portfolio portfolio, ProgramSolver solver) {
        this.portfolio = portfolio;
        this.services = portfolio.services();
        this.solver = solver;
        this.moments = new MomentPlanner(portfolio, solver);
    }

    /// Plans a portfolio.
    ///
    /// @throws java.util.concurrent.CancellationException if the caller no longer waits for the plan
    public static PortfolioPlan plan(Portfolio portfolio, ProgramSolver solver) {
        return new PortfolioPlanner(portfolio, solver).plan();
    }

    private PortfolioPlan plan() {
        List<Moment> all = portfolio.assignment() == Assignment.FIXED ? List.of(day()) : hoursOfDay();
        // Most that is needed in any hour is found first: it serves the hours that time is too short for.
        Held most = all.size() > 1 ? moments.hold(day(), FOR_MOST, FOR_CHEAPER, null) : null;
        List<Held> held = new ArrayList<>();
        for (int place = 0; place < all.size(); place++) {
            double share = FOR_PLAN / all.size() / (1 - FOR_PLAN * place / all.size());
            held.add(moments.hold(all.get(place), share, FOR_CHEAPER, most));
        }
        Margins margins = new Margins(portfolio, held, solver);
        List<KindPlan> kinds = new ArrayList<>();
        for (int place = 0; place < portfolio.stock().size(); place++) {
            kinds.add(margins.of(
                    portfolio.stock().get(place), 1.0 / (portfolio.stock().size() - place + 1)));
        }
        List<More> enough = margins.enough();
        List<Hour> hours = hours(held);
        return new PortfolioPlan(
                portfolio,
                outcome(held),
                held.stream().map(Held::counts).reduce(Counts.none(services), Counts::most),
                hours,
                sum(held, Held::cost),
                served(held),
                kinds,
                enough);
    }

    private static Outcome outcome(List<Held> held) {
        if (held.stream().anyMatch(one -> !one.keepsReplicas())) {
            return Outcome.REPLICAS_MISSING;
        }
        return held.stream().allMatch(Held::servesAll) ? Outcome.SERVED : Outcome.SHORT;
    }

    @FunctionalInterface
    private interface Figure {
        Proven of(Held held);
    }

    private static Proven sum(List<Held> held, Figure figure) {
        double value = 0;
        double bound = 0;
        for (Held one : held) {
            int hours = one.moment().hours().size();
            value += hours * figure.of(one).value();
            bound += hours * figure.of(one).bound();
        }
        return new Proven(value, bound);
    }

    private static Proven served(List<Held> held) {
        double value = 0;
        double bound = 0;
        for (Held one : held) {
            value += one.served().value();
            bound += one.served().bound();
        }
        return new Proven(value, bound);
    }

    /// Returns the whole day as one moment.
    private Moment day() {
        List<Integer> hours = IntStream.range(0, Portfolio.HOURS).boxed().toList();
        return new Moment(
                services.stream().map(Service::most).toList(),
                hours,
                grouped().entrySet().stream()
                        .map(entry -> level(entry.getKey(), entry.getValue().size()))
                        .toList());
    }

    private List<Moment> hoursOfDay() {
        return grouped().entrySet().stream()
                .map(entry -> new Moment(
                        entry.getKey(),
                        entry.getValue(),
                        List.of(level(entry.getKey(), entry.getValue().size()))))
                .toList();
    }

    /// Returns the hours grouped by the needs of all services.
    private Map<List<Double>, List<Integer>> grouped() {
        Map<List<Double>, List<Integer>> hours = new LinkedHashMap<>();
        for (int hour = 0; hour < Portfolio.HOURS; hour++) {
            int at = hour;
            List<Double> needs =
                    services.stream().map(service -> service.needs().get(at)).toList();
            hours.computeIfAbsent(needs, _ -> new ArrayList<>()).add(hour);
        }
        return hours;
    }

    /// Returns the values of serving the needs of several hours: the weight of each service, in proportion to
    /// its demand over the day.
    private Level level(List<Double> needs, int hours) {
        List<Double> values = new ArrayList<>();
        for (int place = 0; place < services.size(); place++) {
            Service service = services.get(place);
            double day =
                    service.needs().stream().mapToDouble(Double::doubleValue).sum();
            values.add(day == 0 ? 0 : service.weight() * needs.get(place) * hours / day);
        }
        return new Level(needs, values);
    }

    private List<Hour> hours(List<Held> held) {
        List<Hour> hours =
                new ArrayList<>(Collections.nCopies(Portfolio.HOURS, new Hour(Counts.none(services), List.of())));
        Map<List<Double>, List<Integer>> grouped = grouped();
        int left = grouped.size();
        for (Map.Entry<List<Double>, List<Integer>> entry : grouped.entrySet()) {
            Held one = held.stream()
                    .filter(moment ->
                            moment.moment().hours().contains(entry.getValue().getFirst()))
                    .findFirst()
                    .orElseThrow();
            Counts running = portfolio.assignment() == Assignment.FIXED
                    ? moments.running(one, entry.getKey(), 1.0 / left)
                    : one.counts();
            Hour hour = new Hour(running, shares(running, entry.getKey()));
            entry.getValue().forEach(at -> hours.set(at, hour));
            left--;
        }
        return hours;
    }

    private List<Double> shares(Counts running, List<Double> needs) {
        return IntStream.range(0, services.size())
                .mapToObj(place -> share(running.ability(place, services.get(place)), needs.get(place)))
                .toList();
    }

    static double share(BigDecimal ability, double need) {
        return need == 0 || ability.compareTo(BigDecimal.valueOf(need)) >= 0 ? 1 : ability.doubleValue() / need;
    }
}
