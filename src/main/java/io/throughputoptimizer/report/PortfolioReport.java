package io.throughputoptimizer.report;

import io.throughputoptimizer.api.portfolio.PortfolioRequest;
import io.throughputoptimizer.api.result.portfolio.AnsweredPortfolio;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.HourResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.InstancesResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.MissingResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.MoreResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.OutcomeName;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.ServiceResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.StockResponse;
import io.throughputoptimizer.api.result.portfolio.PortfolioResponse.UnitResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.Cell;
import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.Report;
import io.throughputoptimizer.report.table.Section;
import io.throughputoptimizer.report.table.Section.Comparison;
import io.throughputoptimizer.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Report of a portfolio: units of each service, use of the stock, and hours; as records a line for each
/// unit, and one for a service without any.
record PortfolioReport(PortfolioRequest request, PortfolioResponse answer) {
    private static final int WIDTH = 120;
    private static final double PERCENT = 100;

    /// Units of one kind of a service.
    private record Assigned(
            ServiceResponse service, @Nullable UnitResponse unit) {}

    static Report of(AnsweredPortfolio portfolio) {
        PortfolioReport report = new PortfolioReport(portfolio.request(), portfolio.answer());
        List<Assigned> assigned = portfolio.answer().services().stream()
                .flatMap(PortfolioReport::assigned)
                .toList();
        return new Report(
                List.of(report.services(assigned), report.stock(), report.hours()),
                Table.recorded(columns(), assigned, false));
    }

    private static Stream<Assigned> assigned(ServiceResponse service) {
        return service.units().isEmpty()
                ? Stream.of(new Assigned(service, null))
                : service.units().stream().map(unit -> new Assigned(service, unit));
    }

    private static <T> Function<Assigned, @Nullable T> of(Function<UnitResponse, @Nullable T> figure) {
        return assigned -> assigned.unit == null ? null : figure.apply(assigned.unit);
    }

    private static List<Column<Assigned>> columns() {
        return List.of(
                Column.text("service", "Service", one -> one.service.name()),
                Column.<Assigned>figure("served_share", "Served (%)", one -> one.service.servedShare())
                        .titled(Column.NONE),
                Column.<Assigned>figure(Column.NONE, "Served (%)", one -> PERCENT * one.service.servedShare())
                        .decimals(1, 1),
                Column.text(
                        "limited_by",
                        "Bound by",
                        one -> one.service.limitedBy().name().toLowerCase(Locale.ROOT)),
                Column.text("device", "Device", of(UnitResponse::device)),
                Column.text("deployment", "Deployment", of(UnitResponse::deployment)),
                Column.count("count", "Units", of(UnitResponse::count)),
                Column.count("num_devices", "Devices", of(UnitResponse::numDevices)),
                Column.text("instances", "Instances of a Unit", of(PortfolioReport::instances)),
                Column.<Assigned>figure("requests_per_s", "Most of a Unit (req/s)", of(UnitResponse::requestsPerS)),
                Column.<Assigned>figure("concurrency", "Most of a Unit (at once)", of(UnitResponse::concurrency))
                        .optional(),
                Column.figure("ttft_ms", "TTFT (ms)", of(UnitResponse::ttftMs)),
                Column.figure("tpot_ms", "TPOT (ms)", of(UnitResponse::tpotMs)));
    }

    private static String instances(UnitResponse unit) {
        return unit.instances().stream().map(PortfolioReport::instances).collect(Collectors.joining(" > "));
    }

    private static String instances(InstancesResponse instances) {
        return instances.count() + " x " + instances.devicesPerInstance() + " (" + instances.parallel() + ")";
    }

    private Section services(List<Assigned> assigned) {
        List<String> headings = new ArrayList<>(List.of(outcome(), cost()));
        headings.add("A better plan is not excluded by more than " + percent(answer.gap()) + " of "
                + (answer.outcome() == OutcomeName.SERVED ? "the cost" : "what is served") + ".");
        List<String> notes = new ArrayList<>(answer.services().stream()
                .filter(service -> service.noInstances() != null)
                .flatMap(PortfolioReport::noInstances)
                .toList());
        if (answer.enough() != null) {
            notes.add("All would be served with "
                    + answer.enough().stream().map(PortfolioReport::more).collect(Collectors.joining(" and ")) + ".");
        }
        return new Comparison(WIDTH, headings, Table.titled(columns(), assigned), notes);
    }

    private static Stream<String> noInstances(ServiceResponse service) {
        return service.noInstances() == null
                ? Stream.empty()
                : service.noInstances().stream()
                        .map(none -> service.name() + ", " + none.devicesPerInstance() + " " + none.device() + ": "
                                + none.reason());
    }

    private static String more(MoreResponse more) {
        return more.devices() + " more " + more.device();
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f%%", PERCENT * share);
    }

    private String outcome() {
        return switch (answer.outcome()) {
            case SERVED -> "All demand is served.";
            case SHORT ->
                "The stock does not suffice: served are " + Decimals.fixed(answer.weightedServed(), 3)
                        + " of the weights, which are "
                        + Decimals.fixed(
                                request.services().stream()
                                        .mapToDouble(service -> service.weight())
                                        .sum(),
                                3)
                        + ".";
            case REPLICAS_MISSING -> "The stock does not hold the replicas that must run.";
        };
    }

    private String cost() {
        String unit = request.isPriced() ? "" : " device hours";
        return "Cost of a day: " + Decimals.fixed(answer.costPerDay(), 2) + unit + "; of what runs: "
                + Decimals.fixed(answer.runningCostPerDay(), 2) + unit;
    }

    private Section stock() {
        List<Column<StockResponse>> columns = List.of(
                Column.text("device", "Device", StockResponse::device),
                Column.count("count", "Devices", StockResponse::count),
                Column.count("used", "Used", StockResponse::used),
                Column.count("free", "Free", StockResponse::free),
                Column.<StockResponse>text(
                        "one_more",
                        "One More Saves a Day",
                        kind -> worth(kind, kind.oneMore().savedPerDay())),
                Column.<StockResponse>text(
                        "gained",
                        "and Serves More by Weight",
                        kind -> worth(kind, kind.oneMore().gained())),
                Column.<StockResponse>text("missing", "Alone Missing", kind -> missing(kind.missingAlone()))
                        .optional());
        return new Comparison(WIDTH, List.of("The Stock"), Table.titled(columns, answer.stock()), List.of());
    }

    private static String worth(StockResponse kind, double worth) {
        String added =
                kind.oneMore().devices() == 1 ? "" : " (" + kind.oneMore().devices() + " devices)";
        return (kind.oneMore().proven() ? "" : "at least ") + Decimals.fixed(worth, 3) + added;
    }

    private static @Nullable String missing(@Nullable MissingResponse missing) {
        if (missing == null) {
            return null;
        }
        if (missing.devices() == null) {
            return missing.proven() ? "no number would do" : "time was up";
        }
        return (missing.proven() ? "" : "at most ") + missing.devices();
    }

    private Section hours() {
        List<String> columns = new ArrayList<>(List.of("Hour"));
        request.stock().forEach(kind -> columns.add(kind.device() + " on"));
        request.stock().forEach(kind -> columns.add(kind.device() + " off"));
        request.services().forEach(service -> columns.add(service.name() + " (%)"));
        List<List<Cell>> rows =
                answer.hours().stream().map(PortfolioReport::row).toList();
        return new Comparison(
                WIDTH,
                List.of("Hours of the Day: Devices that Run and that Can Be Off, Demand Served"),
                new Table(columns, rows),
                List.of());
    }

    private static List<Cell> row(HourResponse hour) {
        List<Cell> row = new ArrayList<>();
        row.add(new Cell.Count(hour.hour()));
        hour.devices().forEach(kind -> row.add(new Cell.Count(kind.running())));
        hour.devices().forEach(kind -> row.add(new Cell.Count(kind.off())));
        hour.services().forEach(service -> row.add(new Cell.Figure(PERCENT * service.servedShare(), 1)));
        return row;
    }
}
