package io.throughputoptimizer.core.portfolio;

import io.throughputoptimizer.core.portfolio.AssignmentProgram.Level;
import io.throughputoptimizer.core.portfolio.Portfolio.DeviceKind;
import io.throughputoptimizer.core.portfolio.Portfolio.Service;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Proven;
import io.throughputoptimizer.core.portfolio.PortfolioPlanner.Moment;
import io.throughputoptimizer.core.portfolio.ProgramSolver.Solution;
import io.throughputoptimizer.core.portfolio.ProgramSolver.Status;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Finds the units that the stock holds in a moment. Checks the solver's result in decimal arithmetic; if
/// rounding leaves a service short, solves again with a slightly higher need.
final class MomentPlanner {
    private static final int ATTEMPTS = 4;
    private static final double MARGIN = 2e-6;
    private static final double ROUNDING = 1e-9;

    private final Portfolio portfolio;
    private final List<Service> services;
    private final ProgramSolver solver;

    MomentPlanner(Portfolio portfolio, ProgramSolver solver) {
        this.portfolio = portfolio;
        this.services = portfolio.services();
        this.solver = solver;
    }

    /// Finds the cheapest units that serve all needs, else the units that serve the most.
    ///
    /// @param share share of the remaining time
    /// @param cheaper part of `share` for a cheaper plan if not all is served
    /// @param most units that serve more than the moment needs, used if time is up before a solution is found
    Held hold(Moment moment, double share, double cheaper, @Nullable Held most) {
        Found all = cheapest(moment.needs(), null, share);
        if (all.counts.isPresent()) {
            return serving(moment, all.counts.get(), new Proven(all.solution.cost(), all.solution.bound()));
        }
        if (most != null && most.servesAll() && all.solution.status() == Status.UNKNOWN) {
            Counts counts = running(most, moment.needs(), share);
            return serving(moment, counts, new Proven(cost(counts), leastCost(moment.needs())));
        }
        return holdMost(moment, share, cheaper);
    }

    private static Held serving(Moment moment, Counts counts, Proven cost) {
        double worth = worthOfAll(moment.levels());
        return new Held(moment, counts, true, true, cost, new Proven(worth, worth));
    }

    /// Returns a lower bound of the cost: unlimited and fractional counts of the best units.
    private double leastCost(List<Double> needs) {
        double cost = 0;
        for (int place = 0; place < services.size(); place++) {
            double need = needs.get(place);
            cost += services.get(place).units().stream()
                    .mapToDouble(unit -> need
                            / unit.ability()
                            * unit.devices()
                            * portfolio.kind(unit).pricePerHour())
                    .min()
                    .orElse(0);
        }
        return cost * (1 - ROUNDING);
    }

    /// Solution, with the unit counts if they serve the required needs.
    private record Found(Solution solution, Optional<Counts> counts) {}

    private Found cheapest(List<Double> needs, @Nullable Counts most, double share) {
        List<Double> margins = new ArrayList<>(Collections.nCopies(services.size(), 1.0));
        Solution solution = new Solution(Status.UNKNOWN, List.of(), Double.POSITIVE_INFINITY, 0);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            AssignmentProgram program = new AssignmentProgram(portfolio, needs, most, true).serving(needs, margins);
            if (most == null) {
                program.within(portfolio.stock());
            }
            solution = solver.solve(program.build(), share);
            if (!solution.isFound()) {
                return new Found(solution, Optional.empty());
            }
            Counts counts = program.counts(solution.values());
            if (!enlarge(margins, counts, needs)) {
                return new Found(solution, Optional.of(counts));
            }
        }
        return new Found(solution, Optional.empty());
    }

    /// Raises the margin of each service that rounding leaves short.
    ///
    /// @return whether any service was short
    private boolean enlarge(List<Double> margins, Counts counts, List<Double> needs) {
        boolean any = false;
        for (int place = 0; place < services.size(); place++) {
            if (counts.ability(place, services.get(place)).compareTo(BigDecimal.valueOf(needs.get(place))) < 0) {
                margins.set(place, margins.get(place) + MARGIN);
                any = true;
            }
        }
        return any;
    }

    private Held holdMost(Moment moment, double share, double cheaper) {
        List<Level> levels = moment.levels();
        AssignmentProgram program = new AssignmentProgram(portfolio, moment.needs(), null, false)
                .servingMost(levels)
                .within(portfolio.stock());
        Solution most = solver.solve(program.build(), share);
        if (!most.isFound()) {
            Counts none = Counts.none(services);
            double worth = worth(none, levels);
            return new Held(
                    moment,
                    none,
                    false,
                    most.status() != Status.INFEASIBLE,
                    new Proven(0, 0),
                    new Proven(worth, most.status() == Status.INFEASIBLE ? worth : worthOfAll(levels)));
        }
        Counts counts = program.counts(most.values());
        List<Double> needs = IntStream.range(0, services.size())
                .mapToObj(place -> Math.min(
                        moment.needs().get(place),
                        counts.ability(place, services.get(place)).doubleValue()))
                .toList();
        Found saved = cheapest(needs, null, cheaper);
        Counts best = saved.counts.orElse(counts);
        double cost = cost(best);
        double worth = worth(best, levels);
        return new Held(
                moment,
                best,
                servesAll(best, moment.needs()),
                true,
                new Proven(cost, Math.min(cost, Math.max(0, saved.solution.bound()))),
                new Proven(worth, Math.max(worth, Math.min(worthOfAll(levels), -most.bound()))));
    }

    private boolean servesAll(Counts counts, List<Double> needs) {
        return IntStream.range(0, services.size())
                .allMatch(place ->
                        PortfolioPlanner.share(counts.ability(place, services.get(place)), needs.get(place)) >= 1);
    }

    private static double worthOfAll(List<Level> levels) {
        return levels.stream()
                .flatMap(level -> level.values().stream())
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    private double worth(Counts counts, List<Level> levels) {
        double worth = 0;
        for (Level level : levels) {
            for (int place = 0; place < services.size(); place++) {
                worth += level.values().get(place)
                        * PortfolioPlanner.share(
                                counts.ability(place, services.get(place)),
                                level.needs().get(place));
            }
        }
        return worth;
    }

    /// Returns the cost of one hour.
    double cost(Counts counts) {
        double cost = 0;
        for (DeviceKind kind : portfolio.stock()) {
            cost += counts.devices(services, kind.name()) * kind.pricePerHour();
        }
        return cost;
    }

    /// Returns the units that must run in an hour to serve its need as far as the held units can; all units if
    /// time is up.
    ///
    /// @param needs needs of the hour
    Counts running(Held held, List<Double> needs, double share) {
        List<Double> served = IntStream.range(0, services.size())
                .mapToObj(place -> Math.min(
                        needs.get(place),
                        held.counts().ability(place, services.get(place)).doubleValue()))
                .toList();
        return held.keepsReplicas() && !solver.isTimeUp()
                ? cheapest(served, held.counts(), share).counts.orElse(held.counts())
                : held.counts();
    }
}
