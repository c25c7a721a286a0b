package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.RowSimulationResponse;
import io.throughputoptimizer.api.result.SteadyRowResponse;
import io.throughputoptimizer.report.table.Column;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Columns of what simulations of rows showed.
final class PercentileColumns {
    private PercentileColumns() {}

    /// Each percentile, named `ttft_p50`, and its limit where it has one; of rows that were simulated.
    static List<Column<Line>> recorded(List<RowResponse> rows) {
        return Stream.concat(
                        names(rows, _ -> true).flatMap(name -> Stream.of(figure(name), limit(name))),
                        Stream.of(Column.figure("stagger_ms", "Stagger (ms)", PercentileColumns::staggerMillis)
                                .optional()))
                .map(column -> column.<Line>of(Line::own))
                .toList();
    }

    /// The percentiles that limits are on.
    static List<Column<Line>> limited(List<RowResponse> rows) {
        return names(rows, figure -> figure.limitMillis() != null)
                .map(name -> figure(name).<Line>of(Line::own))
                .toList();
    }

    private static Stream<String> names(List<RowResponse> rows, Predicate<SimulatedPercentile> shown) {
        return rows.stream()
                .flatMap(row -> SimulatedPercentile.of(row).stream())
                .filter(shown)
                .map(SimulatedPercentile::name)
                .distinct();
    }

    private static Column<RowResponse> figure(String name) {
        Function<RowResponse, @Nullable SimulatedPercentile> named = row -> named(row, name);
        return Column.<RowResponse>figure(recordedName(name), name + " (ms)", row -> {
                    SimulatedPercentile figure = named.apply(row);
                    return figure == null ? null : (Double) figure.value().value();
                })
                .within(
                        named,
                        figure -> figure.value().band(),
                        figure -> figure.value().range());
    }

    private static Column<RowResponse> limit(String name) {
        return Column.<RowResponse>figure(recordedName(name) + "_limit", name + " limit (ms)", row -> {
                    SimulatedPercentile figure = named(row, name);
                    return figure == null ? null : figure.limitMillis();
                })
                .optional();
    }

    private static String recordedName(String name) {
        return name.toLowerCase(Locale.ROOT).replace(' ', '_');
    }

    /// Over which clients of a simulation get out of step; absent where nothing keeps them in step.
    static @Nullable Double staggerMillis(RowResponse row) {
        SteadyRowResponse steady = row.steady();
        RowSimulationResponse simulation = steady == null ? null : steady.simulation();
        return simulation == null ? null : simulation.staggerMs();
    }

    private static @Nullable SimulatedPercentile named(RowResponse row, String name) {
        return SimulatedPercentile.of(row).stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
