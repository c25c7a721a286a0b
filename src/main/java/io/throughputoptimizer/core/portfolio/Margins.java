package io.throughputoptimizer.core.portfolio;

import io.throughputoptimizer.core.portfolio.Portfolio.DeviceKind;
import io.throughputoptimizer.core.portfolio.Portfolio.Service;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Alone;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.KindPlan;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Missing;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.More;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.NoHelp;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.NoneMissing;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Unknown;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Worth;
import io.throughputoptimizer.core.portfolio.ProgramSolver.Solution;
import io.throughputoptimizer.core.portfolio.ProgramSolver.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/// Marginal value of one more device, and missing devices, found by solving again with another stock.
final class Margins {
    /// Relative difference above which a figure counts as better.
    private static final double BETTER = 1e-6;

    private final Portfolio portfolio;
    private final List<Held> held;
    private final ProgramSolver solver;
    private final List<Double> even;

    Margins(Portfolio portfolio, List<Held> held, ProgramSolver solver) {
        this.portfolio = portfolio;
        this.held = held;
        this.solver = solver;
        this.even = Collections.nCopies(portfolio.services().size(), 1.0);
    }

    /// Returns the plan of one kind of device.
    ///
    /// @param share share of the remaining time
    KindPlan of(DeviceKind kind, double share) {
        int used = held.stream()
                .mapToInt(one -> one.counts().devices(portfolio.services(), kind.name()))
                .max()
                .orElse(0);
        Worth worth = new Worth(kind.step(), 0, 0, true);
        for (int place = 0; place < held.size(); place++) {
            worth = plus(worth, worth(held.get(place), kind, share / (held.size() - place + 1)));
        }
        return new KindPlan(kind.name(), used, worth, alone(kind, share / 2));
    }

    private static Worth plus(Worth one, Worth other) {
        return new Worth(
                one.devices(),
                one.saved() + other.saved(),
                one.gained() + other.gained(),
                one.isProven() && other.isProven());
    }

    private List<DeviceKind> with(DeviceKind kind) {
        return portfolio.stock().stream()
                .map(one -> one.equals(kind) ? kind.plus(kind.step()) : one)
                .toList();
    }

    private Worth worth(Held one, DeviceKind kind, double share) {
        if (solver.isTimeUp()) {
            return new Worth(kind.step(), 0, 0, false);
        }
        AssignmentProgram program = one.servesAll()
                ? new AssignmentProgram(portfolio, one.moment().needs(), null, true)
                        .serving(one.moment().needs(), even)
                        .below(one.cost().value() * (1 - BETTER))
                : new AssignmentProgram(portfolio, one.moment().needs(), null, false)
                        .servingMost(one.moment().levels())
                        .below(-one.served().value() * (1 + BETTER));
        Solution found = solver.solve(program.within(with(kind)).beyond(kind).build(), share);
        boolean proven = found.status() == Status.OPTIMAL || found.status() == Status.INFEASIBLE;
        if (!found.isFound()) {
            return new Worth(kind.step(), 0, 0, proven);
        }
        return one.servesAll()
                ? new Worth(
                        kind.step(),
                        one.moment().hours().size() * (one.cost().value() - found.cost()),
                        0,
                        proven && one.cost().gap() < BETTER)
                : new Worth(
                        kind.step(),
                        0,
                        -found.cost() - one.served().value(),
                        proven && one.served().gap() < BETTER);
    }

    /// Returns the needs of services that have any unit: more devices do not help a service that no device can
    /// serve.
    private List<Double> servable(Held one) {
        List<Service> services = portfolio.services();
        return IntStream.range(0, services.size())
                .mapToObj(place -> services.get(place).units().isEmpty()
                        ? 0.0
                        : one.moment().needs().get(place))
                .toList();
    }

    private Alone alone(DeviceKind kind, double share) {
        List<Held> wanting = held.stream().filter(one -> !one.servesAll()).toList();
        int most = 0;
        boolean proven = true;
        for (int place = 0; place < wanting.size(); place++) {
            if (solver.isTimeUp()) {
                return new Unknown();
            }
            List<Double> needs = servable(wanting.get(place));
            AssignmentProgram program = new AssignmentProgram(portfolio, needs, null, false)
                    .serving(needs, even)
                    .adding(kind, 1)
                    .within(portfolio.stock());
            Solution found = solver.solve(program.build(), share / (wanting.size() - place + 1));
            if (found.status() == Status.INFEASIBLE) {
                return new NoHelp();
            }
            if (!found.isFound()) {
                return new Unknown();
            }
            most = Math.max(most, kind.step() * program.added(kind, found.values()));
            proven &= found.status() == Status.OPTIMAL;
        }
        return most == 0 ? new NoneMissing() : new Missing(most, proven);
    }

    /// Returns the cheapest additional devices with which all needs are served; empty if none are missing or
    /// time is up. Moments are solved in turn, each with the devices added for the earlier ones.
    List<More> enough() {
        List<Held> wanting = held.stream().filter(one -> !one.servesAll()).toList();
        List<DeviceKind> stock = portfolio.stock();
        for (int place = 0; place < wanting.size(); place++) {
            if (solver.isTimeUp()) {
                return List.of();
            }
            List<Double> needs = servable(wanting.get(place));
            AssignmentProgram program = new AssignmentProgram(portfolio, needs, null, false).serving(needs, even);
            stock.forEach(kind -> program.adding(kind, kind.step() * kind.pricePerHour()));
            Solution found = solver.solve(program.within(stock).build(), 0.5 / (wanting.size() - place));
            if (!found.isFound()) {
                return List.of();
            }
            List<DeviceKind> grown = new ArrayList<>();
            for (DeviceKind kind : stock) {
                grown.add(kind.plus(kind.step() * program.added(kind, found.values())));
            }
            stock = grown;
        }
        List<More> more = new ArrayList<>();
        for (int place = 0; place < stock.size(); place++) {
            int devices =
                    stock.get(place).count() - portfolio.stock().get(place).count();
            if (devices > 0) {
                more.add(new More(stock.get(place).name(), devices));
            }
        }
        return more;
    }
}
