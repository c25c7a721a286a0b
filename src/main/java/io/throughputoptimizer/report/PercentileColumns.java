package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.RowSimulationResponse;
import io.throughputoptimizer.api.result.SteadyRowResponse;
import io.throughputoptimizer.report.Line.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Columns of what simulations of rows showed.
final class PercentileColumns {
    private static final int DECIMALS = 3;

    private PercentileColumns() {}

    /// Each percentile with its ends, named `ttft_p50`, and with its limit where it has one; of rows that were
    /// simulated.
    static List<Column> recorded(List<Line> lines) {
        List<String> names = lines.stream()
                .flatMap(line -> SimulatedPercentile.of(line.row()).stream())
                .map(SimulatedPercentile::name)
                .distinct()
                .toList();
        List<Column> columns = new ArrayList<>();
        for (String name : names) {
            String title = name.toLowerCase(Locale.ROOT).replace(' ', '_');
            columns.add(figure(title, name, figure -> figure.value().value()));
            columns.add(figure(title + "_low", name, figure -> figure.value().low()));
            columns.add(figure(title + "_high", name, figure -> figure.value().high()));
            if (lines.stream()
                    .flatMap(line -> named(line.row(), name).stream())
                    .map(SimulatedPercentile::limitMillis)
                    .anyMatch(Objects::nonNull)) {
                columns.add(figure(title + "_limit", name, SimulatedPercentile::limitMillis));
            }
        }
        if (lines.stream().anyMatch(line -> staggerMillis(line.row()) != null)) {
            columns.add(new Column("stagger_ms", line -> line.figure(PercentileColumns::staggerMillis, DECIMALS)));
        }
        return columns;
    }

    /// The percentiles that limits are on, with their bands.
    static List<Column> limited(List<RowResponse> rows) {
        return rows.stream()
                .flatMap(row -> SimulatedPercentile.of(row).stream())
                .filter(figure -> figure.limitMillis() != null)
                .map(SimulatedPercentile::name)
                .distinct()
                .map(name -> new Column(
                        name + " (ms)",
                        line -> named(line.row(), name)
                                .map(figure -> figure.value().cell())
                                .orElse(Cell.MISSING)))
                .toList();
    }

    private static Column figure(String title, String name, Function<SimulatedPercentile, @Nullable Double> figure) {
        return new Column(
                title, line -> line.figure(row -> named(row, name).map(figure).orElse(null), DECIMALS));
    }

    /// Over which clients of a simulation get out of step; absent where nothing keeps them in step.
    static @Nullable Double staggerMillis(RowResponse row) {
        SteadyRowResponse steady = row.steady();
        RowSimulationResponse simulation = steady == null ? null : steady.simulation();
        return simulation == null ? null : simulation.staggerMs();
    }

    private static Optional<SimulatedPercentile> named(RowResponse row, String name) {
        return SimulatedPercentile.of(row).stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst();
    }
}
