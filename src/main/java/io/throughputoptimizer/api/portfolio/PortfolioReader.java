package io.throughputoptimizer.api.portfolio;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.portfolio.PortfolioRequest.StockRequest;
import io.throughputoptimizer.api.portfolio.PortfolioServiceRequest.HourlyDemandRequest;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.reading.SearchQuestion;
import io.throughputoptimizer.api.request.MeasurementSets;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.core.capacity.Requirement;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.capacity.ServingUnits;
import io.throughputoptimizer.core.portfolio.Portfolio;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Turns a [PortfolioRequest] into the questions that its services ask of a capacity planner.
public final class PortfolioReader {
    /// So many that each deployment counts as possible: what the stock holds is decided among all services.
    private static final int PLENTY = 65_536;

    private static final int LARGEST_UNASKED = 64;
    private static final int LEAST_LARGEST = 8;

    private final RequestValidator validator;
    private final ProblemReader problems;

    public PortfolioReader(RequestValidator validator, ProblemReader problems) {
        this.validator = validator;
        this.problems = problems;
    }

    /// A portfolio whose instances can be searched.
    public record Asked(PortfolioRequest request, List<AskedService> services) {}

    /// A service.
    ///
    /// @param question search for the service's instances; [SearchQuestion.Capacity] or
    ///     [SearchQuestion.MeasuredCapacity]
    /// @param unit unit of the demand
    /// @param amounts requested demand of each hour
    /// @param needs demand of each hour to plan for
    public record AskedService(
            PortfolioServiceRequest service,
            SearchQuestion question,
            Unit unit,
            List<Double> amounts,
            List<Double> needs) {}

    /// @param sets stored sets that the caller can name
    /// @throws InvalidRequestException if the request, or that of a service, cannot be used
    public Asked read(PortfolioRequest asked, MeasurementSets sets) {
        PortfolioRequest request = problems.named(asked);
        validator.check(request);
        List<AskedService> services = new ArrayList<>();
        List<Violation> broken = new ArrayList<>();
        for (int place = 0; place < request.services().size(); place++) {
            String pointer = "/services/" + place;
            PortfolioServiceRequest service = request.services().get(place);
            try {
                services.add(read(request, service, sets));
            } catch (InvalidRequestException e) {
                e.violations().forEach(violation -> broken.add(violation.under(pointer + under(violation, service))));
            }
        }
        if (!broken.isEmpty()) {
            throw new InvalidRequestException(broken);
        }
        requireBands(request, services);
        requireNodes(request, services);
        return new Asked(request, services);
    }

    /// Maps a violation in a service's request to its pointer in the portfolio. Demand by hour is a field of the
    /// service.
    private static String under(Violation violation, PortfolioServiceRequest service) {
        return violation.pointer().startsWith("/demand") && service.demandByHour() != null
                ? "/demand_by_hour"
                : "/request";
    }

    private static void requireBands(PortfolioRequest request, List<AskedService> services) {
        List<Violation> without = IntStream.range(0, services.size())
                .filter(place ->
                        request.unfavourable() && services.get(place).question instanceof SearchQuestion.Capacity)
                .mapToObj(place -> new Violation(
                        "/services/" + place + "/request/cost_model",
                        "must be calibrated with bands unfavourable, got analytic"))
                .toList();
        if (!without.isEmpty()) {
            throw new InvalidRequestException(without);
        }
    }

    /// Instances that share nodes divide one another, so that whether they fit is told by sums.
    private static void requireNodes(PortfolioRequest request, List<AskedService> services) {
        List<Violation> broken = new ArrayList<>();
        for (int place = 0; place < request.stock().size(); place++) {
            StockRequest kind = request.stock().get(place);
            Integer node = kind.devicesPerNode();
            if (node == null) {
                continue;
            }
            List<Integer> sizes = services.stream()
                    .filter(one -> one.service.devices().isEmpty()
                            || one.service.devices().contains(kind.device()))
                    .flatMap(one -> sizes(one.question).stream())
                    .filter(size -> size <= node)
                    .distinct()
                    .sorted()
                    .toList();
            for (int size = 1; size < sizes.size(); size++) {
                if (sizes.get(size) % sizes.get(size - 1) != 0) {
                    broken.add(new Violation(
                            "/stock/" + place + "/devices_per_node",
                            "requires instance_sizes that divide each other, got " + sizes.get(size - 1) + " and "
                                    + sizes.get(size) + ". Remove one of them"));
                }
            }
        }
        if (!broken.isEmpty()) {
            throw new InvalidRequestException(broken);
        }
    }

    private static List<Integer> sizes(SearchQuestion question) {
        return switch (question) {
            case SearchQuestion.Capacity(var problem, var _) -> problem.instanceSizes();
            case SearchQuestion.MeasuredCapacity(var problem) -> problem.instanceSizes();
            case SearchQuestion.Analytic _, SearchQuestion.Calibrated _ -> List.of();
        };
    }

    private AskedService read(PortfolioRequest request, PortfolioServiceRequest service, MeasurementSets sets) {
        WireFormat.Parsed<OptimizationRequest> parsed = WireFormat.parse(
                WireFormat.Syntax.JSON,
                WireFormat.write(whole(request, service)).getBytes(StandardCharsets.UTF_8),
                OptimizationRequest.class);
        OptimizationRequest asked = problems.resolved(parsed.value(), parsed.given());
        validator.check(asked);
        SearchQuestion question = problems.accept(asked, sets).problem();
        Requirement requirement = requirement(question);
        if (requirement.unit() == Unit.CONVERSATIONS) {
            throw new InvalidRequestException(
                    "/demand/conversations",
                    "is not supported in portfolios. Use demand.requests_per_s, where each turn counts as a request");
        }
        List<Double> amounts = amounts(service, requirement.amount());
        return new AskedService(
                service,
                question,
                requirement.unit(),
                amounts,
                amounts.stream()
                        .map(amount -> ServingUnits.planned(requirement, kept(service, requirement.unit(), amount)))
                        .toList());
    }

    private static Requirement requirement(SearchQuestion question) {
        return switch (question) {
            case SearchQuestion.Capacity(var problem, var _) -> problem.requirement();
            case SearchQuestion.MeasuredCapacity(var problem) -> problem.requirement();
            case SearchQuestion.Analytic _, SearchQuestion.Calibrated _ ->
                throw new IllegalStateException("mode capacity asks for a capacity");
        };
    }

    private static List<Double> amounts(PortfolioServiceRequest service, double allDay) {
        HourlyDemandRequest byHour = service.demandByHour();
        return byHour == null ? Collections.nCopies(Portfolio.HOURS, allDay) : byHour.amounts();
    }

    /// Returns the demand that remains after the largest allowed rejection; a concurrency is rounded up.
    private static double kept(PortfolioServiceRequest service, Unit unit, double amount) {
        double kept = BigDecimal.valueOf(amount)
                .multiply(BigDecimal.ONE.subtract(BigDecimal.valueOf(service.mayRefuse())))
                .doubleValue();
        return unit == Unit.CONCURRENCY ? Math.ceil(kept) : kept;
    }

    /// The request of a service with what the portfolio says.
    private static Map<String, @Nullable Object> whole(PortfolioRequest request, PortfolioServiceRequest service) {
        Map<String, @Nullable Object> whole =
                new LinkedHashMap<String, @Nullable Object>(requireNonNull(service.request()));
        List<String> devices = service.devices().isEmpty()
                ? request.stock().stream()
                        .map(kind -> requireNonNull(kind.device()))
                        .toList()
                : service.devices().stream().distinct().toList();
        whole.put("mode", "capacity");
        whole.put("devices", devices);
        whole.put("num_devices", PLENTY);
        HourlyDemandRequest byHour = service.demandByHour();
        if (byHour != null) {
            double most = Collections.max(byHour.amounts());
            whole.put("demand", Map.of(byHour.member(), byHour.concurrency() == null ? most : (Object) (long) most));
        }
        if (whole.get("instance_sizes") == null) {
            whole.put("instance_sizes", sizes(request, devices));
        }
        return whole;
    }

    /// Powers of two up to the devices that there are of a kind.
    private static List<Integer> sizes(PortfolioRequest request, List<String> devices) {
        int most = request.stock().stream()
                .filter(kind -> devices.contains(kind.device()))
                .mapToInt(PortfolioReader::largest)
                .max()
                .orElse(LEAST_LARGEST);
        return IntStream.iterate(1, size -> size <= Math.clamp(most, LEAST_LARGEST, LARGEST_UNASKED), size -> size * 2)
                .boxed()
                .toList();
    }

    private static int largest(StockRequest kind) {
        return requireNonNull(kind.count());
    }
}
