package io.throughputoptimizer.api.result.portfolio;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.portfolio.PortfolioRequest.AssignmentName;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.api.result.portfolio.AnsweredPortfolio.PlannedPortfolio;
import io.throughputoptimizer.api.result.portfolio.AnsweredPortfolio.PlannedPortfolio.PlannedService;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.BindsName;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.EffortResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.HourOfKindResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.HourOfServiceResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.HourResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.InstancesResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.MissingResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.MoreResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.NoInstanceResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.OutcomeName;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.ServiceResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.StockResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.UnitResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.WorthResponse;
import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.capacity.ServingUnits.ServingUnit;
import io.throughputoptimizer.core.portfolio.Counts;
import io.throughputoptimizer.core.portfolio.Portfolio;
import io.throughputoptimizer.core.portfolio.Portfolio.DeviceKind;
import io.throughputoptimizer.core.portfolio.Portfolio.Service;
import io.throughputoptimizer.core.portfolio.PortfolioPlan;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Alone;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Hour;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.KindPlan;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Missing;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.NoHelp;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.NoneMissing;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Outcome;
import io.throughputoptimizer.core.portfolio.PortfolioPlan.Unknown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Plans of portfolios, as they are sent.
public final class PortfolioResponses {
    private static final double NANOS_PER_SECOND = 1e9;

    private final PlannedPortfolio planned;
    private final PortfolioPlan plan;
    private final List<Service> services;
    private final List<DeviceKind> stock;
    /// Indices of the chosen units of each service, among those it could use.
    private final List<List<Integer>> chosen;

    private PortfolioResponses(PlannedPortfolio planned) {
        this.planned = planned;
        this.plan = planned.plan();
        this.services = plan.portfolio().services();
        this.stock = plan.portfolio().stock();
        this.chosen = plan.assigned().ofServices().stream()
                .map(counts -> IntStream.range(0, counts.size())
                        .filter(unit -> counts.get(unit) > 0)
                        .boxed()
                        .toList())
                .toList();
    }

    public static PortfolioResponse from(PlannedPortfolio planned) {
        return new PortfolioResponses(planned).response();
    }

    private PortfolioResponse response() {
        boolean served = plan.outcome() == Outcome.SERVED;
        return new PortfolioResponse(
                outcome(plan.outcome()),
                plan.cost().value(),
                plan.hours().stream().mapToDouble(hour -> cost(hour.running())).sum(),
                served ? plan.cost().gap() : plan.served().gap(),
                plan.served().value(),
                IntStream.range(0, services.size()).mapToObj(this::service).toList(),
                IntStream.range(0, stock.size()).mapToObj(this::kind).toList(),
                plan.enough().isEmpty()
                        ? null
                        : plan.enough().stream()
                                .map(more -> new MoreResponse(more.name(), more.devices()))
                                .toList(),
                IntStream.range(0, Portfolio.HOURS).mapToObj(this::hour).toList(),
                new EffortResponse(
                        seconds(planned.searched()),
                        seconds(planned.solved()),
                        services.stream().mapToInt(one -> one.units().size()).sum()));
    }

    private static OutcomeName outcome(Outcome outcome) {
        return switch (outcome) {
            case SERVED -> OutcomeName.SERVED;
            case SHORT -> OutcomeName.SHORT;
            case REPLICAS_MISSING -> OutcomeName.REPLICAS_MISSING;
        };
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_PER_SECOND;
    }

    private double cost(Counts running) {
        return stock.stream()
                .mapToDouble(kind -> kind.pricePerHour() * running.devices(services, kind.name()))
                .sum();
    }

    private ServiceResponse service(int place) {
        Service service = services.get(place);
        PlannedService asked = planned.services().get(place);
        return new ServiceResponse(
                service.name(),
                servedShare(place),
                binds(place),
                chosen.get(place).stream().map(unit -> unit(place, unit)).toList(),
                service.units().isEmpty()
                        ? asked.rejections().stream()
                                .map(PortfolioResponses::noInstance)
                                .toList()
                        : null);
    }

    private static NoInstanceResponse noInstance(InstanceRejection rejection) {
        return new NoInstanceResponse(
                rejection.device(), PhaseName.of(rejection.phase()), rejection.size(), rejection.detail());
    }

    private double servedShare(int place) {
        double served = 0;
        double all = 0;
        for (int hour = 0; hour < Portfolio.HOURS; hour++) {
            double need = services.get(place).needs().get(hour);
            served += need * plan.hours().get(hour).served().get(place);
            all += need;
        }
        return served == all ? 1 : served / all;
    }

    private BindsName binds(int place) {
        Service service = services.get(place);
        if (service.units().isEmpty()) {
            return BindsName.LIMITS;
        }
        if (plan.hours().stream().anyMatch(hour -> hour.served().get(place) < 1)) {
            return BindsName.STOCK;
        }
        return keepsOnlyReplicas(place) ? BindsName.MIN_REPLICAS : BindsName.DEMAND;
    }

    /// Returns whether the largest demand of a service would allow one unit less of each kind that it has.
    private boolean keepsOnlyReplicas(int place) {
        Service service = services.get(place);
        List<Integer> counts = plan.assigned().ofServices().get(place);
        double ability = IntStream.range(0, counts.size())
                .mapToDouble(
                        unit -> counts.get(unit) * service.units().get(unit).ability())
                .sum();
        double most =
                service.needs().stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return service.leastReplicas() > 0
                && chosen.get(place).stream()
                        .allMatch(unit -> ability - service.units().get(unit).ability() >= most);
    }

    private UnitResponse unit(int place, int number) {
        ServingUnit unit = services.get(place).units().get(number);
        int count = plan.assigned().ofServices().get(place).get(number);
        boolean atOnce = planned.services().get(place).asked().unit() == Unit.CONCURRENCY;
        return new UnitResponse(
                unit.device(),
                WireFormat.name(unit.kind()),
                count,
                count * unit.devices(),
                atOnce ? null : unit.ability(),
                atOnce ? unit.ability() : null,
                unit.ttftMillis(),
                unit.tpotMillis(),
                unit.parts().stream()
                        .map(part -> new InstancesResponse(
                                PhaseName.of(part.phase()), part.layout(), part.size(), part.count()))
                        .toList());
    }

    private StockResponse kind(int place) {
        KindPlan kind = plan.kinds().get(place);
        int count = stock.get(place).count();
        return new StockResponse(
                kind.name(),
                count,
                kind.used(),
                count - kind.used(),
                new WorthResponse(
                        kind.worth().devices(),
                        kind.worth().saved(),
                        kind.worth().gained(),
                        kind.worth().isProven()),
                missing(kind.alone()));
    }

    private static @Nullable MissingResponse missing(Alone alone) {
        return switch (alone) {
            case NoneMissing _ -> null;
            case Missing(int devices, boolean proven) -> new MissingResponse(devices, proven);
            case NoHelp _ -> new MissingResponse(null, true);
            case Unknown _ -> new MissingResponse(null, false);
        };
    }

    private HourResponse hour(int number) {
        Hour hour = plan.hours().get(number);
        List<HourOfServiceResponse> ofServices = new ArrayList<>();
        for (int place = 0; place < services.size(); place++) {
            List<Integer> running = hour.running().ofServices().get(place);
            ofServices.add(new HourOfServiceResponse(
                    planned.services().get(place).asked().amounts().get(number),
                    hour.served().get(place),
                    chosen.get(place).stream().map(running::get).toList()));
        }
        return new HourResponse(
                number,
                IntStream.range(0, stock.size())
                        .mapToObj(place -> hourOfKind(hour, place))
                        .toList(),
                ofServices);
    }

    private HourOfKindResponse hourOfKind(Hour hour, int place) {
        DeviceKind kind = stock.get(place);
        int running = hour.running().devices(services, kind.name());
        boolean fixed = planned.request().assignment() == AssignmentName.FIXED;
        int there = fixed ? plan.kinds().get(place).used() : kind.count();
        return new HourOfKindResponse(running, there - running);
    }
}
