package io.throughputoptimizer.report;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.ObjectiveRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.ObjectiveResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.Section.Fact;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What plans are ranked by, where that was asked for, as reports say it.
final class Objectives {
    private static final String THROUGHPUT = "tokens_per_s";
    private static final String COST = "cost_per_million_tokens";
    private static final int RATE_DECIMALS = 2;
    private static final int COST_DECIMALS = 4;

    /// Its columns in CSV.
    static final List<String> RECORDED = List.of("objective", "objective_value", "objective_unit");

    /// Where its figure may lie on measured devices, in CSV.
    static final List<String> RECORDED_ENDS = List.of("objective_value_low", "objective_value_high");

    private Objectives() {}

    /// The objective of a request, in words.
    static Optional<Fact> asked(OptimizationRequest request) {
        return Optional.ofNullable(request.objective()).map(asked -> new Fact("Objective", words(asked)));
    }

    /// Unit of what devices cost: the currency of the request and an hour.
    static String perHour(OptimizationRequest request) {
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

    /// What the best row achieves, unless its throughput says it.
    static Optional<Fact> best(@Nullable ObjectiveResponse objective) {
        return title(objective)
                .map(unit -> new Fact(
                        "Best",
                        Decimals.fixed(number(objective), decimals(objective)) + " " + unit + spread(objective)));
    }

    /// Where its figure may lie, behind a space; empty where nobody says so.
    private static String spread(@Nullable ObjectiveResponse objective) {
        return objective != null && isBanded(objective)
                ? " "
                        + new BandedFigure(number(objective), objective.valueBand(), objective.valueRange())
                                .spread(decimals(objective))
                : "";
    }

    static boolean isBanded(@Nullable ObjectiveResponse objective) {
        return objective != null && (objective.valueBand() != null || objective.valueRange() != null);
    }

    /// What a row is ranked by, unless that is its throughput.
    static Optional<String> title(@Nullable ObjectiveResponse objective) {
        return objective == null || objective.name().equals(THROUGHPUT)
                ? Optional.empty()
                : Optional.of(objective.unit());
    }

    static Cell cell(@Nullable ObjectiveResponse objective) {
        return isBanded(objective)
                ? new Cell.Text(Decimals.fixed(number(objective), decimals(objective)) + spread(objective))
                : figure(objective);
    }

    private static Cell figure(@Nullable ObjectiveResponse objective) {
        return objective == null || objective.value() == null
                ? Cell.MISSING
                : new Cell.Figure(objective.value(), decimals(objective));
    }

    /// Of [#RECORDED].
    static List<Cell> recorded(@Nullable ObjectiveResponse objective) {
        return objective == null
                ? List.of(Cell.MISSING, Cell.MISSING, Cell.MISSING)
                : List.of(new Cell.Text(objective.name()), figure(objective), new Cell.Text(objective.unit()));
    }

    /// Of [#RECORDED_ENDS].
    static List<Cell> recordedEnds(@Nullable ObjectiveResponse objective) {
        if (objective == null || !isBanded(objective)) {
            return List.of(Cell.MISSING, Cell.MISSING);
        }
        BandedFigure figure = new BandedFigure(number(objective), objective.valueBand(), objective.valueRange());
        return List.of(Cell.figure(figure.low()), Cell.figure(figure.high()));
    }

    /// A table with what its rows are ranked by as another column, if that is none yet.
    ///
    /// @param at place of the column
    /// @param objectives of the rows
    static Table beside(Table table, int at, Stream<@Nullable ObjectiveResponse> objectives) {
        List<ObjectiveResponse> known = objectives.filter(Objects::nonNull).toList();
        Optional<String> title = known.stream().findFirst().flatMap(Objectives::title);
        return title.isEmpty() || known.size() != table.rows().size()
                ? table
                : table.with(
                        at, title.get(), known.stream().map(Objectives::cell).toList());
    }

    private static double number(@Nullable ObjectiveResponse objective) {
        return objective == null || objective.value() == null ? Double.POSITIVE_INFINITY : objective.value();
    }

    private static int decimals(@Nullable ObjectiveResponse objective) {
        return objective != null && objective.name().equals(COST) ? COST_DECIMALS : RATE_DECIMALS;
    }
}
