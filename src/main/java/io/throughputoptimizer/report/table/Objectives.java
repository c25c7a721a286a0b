package io.throughputoptimizer.report.table;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.ObjectiveRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.Section.Fact;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Ranking objective of plans in reports, if requested.
public final class Objectives {
    private static final String THROUGHPUT = "tokens_per_s";
    private static final String COST = "cost_per_million_tokens";
    private static final int RATE_DECIMALS = 2;
    private static final int COST_DECIMALS = 4;

    private Objectives() {}

    /// The objective of a request, in words.
    public static Optional<Fact> asked(OptimizationRequest request) {
        return Optional.ofNullable(request.objective()).map(asked -> new Fact("Objective", words(asked)));
    }

    /// Unit of what devices cost: the currency of the request and an hour.
    public static String perHour(OptimizationRequest request) {
        ObjectiveRequest asked = request.objective();
        return (asked == null || asked.currency() == null ? "" : asked.currency() + " ") + "per hour";
    }

    private static String words(ObjectiveRequest asked) {
        String name = asked.name() == null ? "" : WireFormat.name(asked.name());
        if (asked.minConcurrency() != null) {
            return name + ", at least " + asked.minConcurrency() + " requests at once";
        }
        return asked.pricePerDeviceHour() == null
                ? name
                : name + ", at " + asked.pricePerDeviceHour() + (asked.currency() == null ? "" : " " + asked.currency())
                        + " a device and hour";
    }

    /// Returns the objective value of the best row, unless it is its throughput.
    public static Optional<Fact> best(@Nullable ObjectiveResponse objective) {
        return title(objective)
                .map(unit -> new Fact(
                        "Best",
                        Decimals.fixed(number(objective), decimals(objective)) + " " + unit + spread(objective)));
    }

    /// Returns the interval after a space; empty without one.
    private static String spread(@Nullable ObjectiveResponse objective) {
        return objective != null && isBanded(objective)
                ? " "
                        + new BandedFigure(number(objective), objective.valueBand(), objective.valueRange())
                                .spread(decimals(objective))
                : "";
    }

    public static boolean isBanded(@Nullable ObjectiveResponse objective) {
        return objective != null && (objective.valueBand() != null || objective.valueRange() != null);
    }

    /// Returns the title of the ranking objective, unless it is the throughput.
    public static Optional<String> title(@Nullable ObjectiveResponse objective) {
        return objective == null || objective.name().equals(THROUGHPUT)
                ? Optional.empty()
                : Optional.of(objective.unit());
    }

    public static Cell cell(@Nullable ObjectiveResponse objective) {
        return isBanded(objective)
                ? new Cell.Text(Decimals.fixed(number(objective), decimals(objective)) + spread(objective))
                : figure(objective);
    }

    private static Cell figure(@Nullable ObjectiveResponse objective) {
        return objective == null || objective.value() == null
                ? Cell.MISSING
                : new Cell.Figure(objective.value(), decimals(objective));
    }

    /// In tables for people: what they are ranked by, if that is no other column yet.
    public static <R> Optional<Column<R>> column(List<R> things, Function<R, @Nullable ObjectiveResponse> objective) {
        List<ObjectiveResponse> known =
                things.stream().map(objective).filter(Objects::nonNull).toList();
        return known.isEmpty() || known.size() < things.size()
                ? Optional.empty()
                : title(known.getFirst())
                        .map(title -> Column.of("objective_value", title, thing -> cell(objective.apply(thing))));
    }

    /// In CSV.
    public static <R> List<Column<R>> recorded(Function<R, @Nullable ObjectiveResponse> objective) {
        return List.of(
                Column.of("objective", "Objective", thing -> {
                    ObjectiveResponse known = objective.apply(thing);
                    return Cell.text(known == null ? null : known.name());
                }),
                Column.of("objective_value", "Value", thing -> figure(objective.apply(thing))),
                Column.of("objective_unit", "Unit", thing -> {
                    ObjectiveResponse known = objective.apply(thing);
                    return Cell.text(known == null ? null : known.unit());
                }));
    }

    /// In CSV: where the figure may lie on measured devices.
    public static <R> List<Column<R>> recordedEnds(Function<R, @Nullable ObjectiveResponse> objective) {
        return List.of(
                Column.figure("objective_value_low", "From", thing -> end(objective.apply(thing), BandedFigure::low)),
                Column.figure("objective_value_high", "To", thing -> end(objective.apply(thing), BandedFigure::high)));
    }

    private static @Nullable Double end(
            @Nullable ObjectiveResponse objective, Function<BandedFigure, @Nullable Double> end) {
        return objective == null || !isBanded(objective)
                ? null
                : end.apply(new BandedFigure(number(objective), objective.valueBand(), objective.valueRange()));
    }

    private static double number(@Nullable ObjectiveResponse objective) {
        return objective == null || objective.value() == null ? Double.POSITIVE_INFINITY : objective.value();
    }

    private static int decimals(@Nullable ObjectiveResponse objective) {
        return objective != null && objective.name().equals(COST) ? COST_DECIMALS : RATE_DECIMALS;
    }
}
