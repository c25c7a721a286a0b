package io.throughputoptimizer.sweep;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.sweep.SweepCellResponse;
import io.throughputoptimizer.api.sweep.SweepCellResponse.Outcome;
import io.throughputoptimizer.api.sweep.SweepCellResponse.SweepPageResponse;
import io.throughputoptimizer.api.sweep.SweepGrid;
import io.throughputoptimizer.report.table.CsvLines;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Rows of a sweep, written as they are read, a chunk at a time: no more than that is ever held of them.
///
/// @param outcomes outcomes of the rows to include
public record SweepRows(SweepStore store, Sweep sweep, SweepGrid grid, Set<Outcome> outcomes) {
    /// Names of columns before those of figures, behind those of the axes.
    private static final List<String> ABOUT = List.of("outcome", "why");

    public SweepRows {
        outcomes = Set.copyOf(outcomes);
    }

    /// All rows of a sweep.
    public static SweepRows all(SweepStore store, Sweep sweep, SweepGrid grid) {
        return new SweepRows(store, sweep, grid, EnumSet.allOf(Outcome.class));
    }

    /// Names of figures that rows have, and of what else is said of each.
    public List<String> values() {
        return Stream.of(ABOUT, store.columns(sweep.id())).flatMap(List::stream).toList();
    }

    /// The row of a cell; empty while there is none.
    public Optional<SweepCellResponse> row(int cell) {
        return store.chunk(sweep.id(), cell / sweep.chunkCells()).stream()
                .filter(row -> row.cell() == cell)
                .findFirst();
    }

    /// Returns the value of a row under a name, or null.
    ///
    /// @param phase phase of the value; null for the first phase that has one
    static @Nullable Object value(SweepCellResponse row, String name, @Nullable String phase) {
        return switch (name) {
            case "outcome" -> WireFormat.name(row.outcome());
            case "why" -> row.why();
            default ->
                best(row)
                        .filter(best -> phase == null || phase.equals(best.get("phase")))
                        .map(best -> best.get(name))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
        };
    }

    private static Stream<Map<String, Object>> best(SweepCellResponse row) {
        return row.best() == null ? Stream.empty() : row.best().stream();
    }

    /// @param from number of the first cell
    public SweepPageResponse page(int from, int limit) {
        List<SweepCellResponse> found = new ArrayList<>();
        for (int chunk = from / sweep.chunkCells(); chunk < sweep.chunks() && found.size() <= limit; chunk++) {
            wanted(chunk).filter(row -> row.cell() >= from).forEach(found::add);
        }
        return found.size() > limit
                ? new SweepPageResponse(
                        found.subList(0, limit), String.valueOf(found.get(limit).cell()))
                : new SweepPageResponse(found, null);
    }

    private Stream<SweepCellResponse> wanted(int chunk) {
        return store.chunk(sweep.id(), chunk).stream().filter(row -> outcomes.contains(row.outcome()));
    }

    /// A line a cell, under one header; of cells with several rows a line each.
    public void csv(Writer writer) throws IOException {
        List<String> columns = store.columns(sweep.id());
        List<String> labels = grid.labels();
        CsvLines csv = new CsvLines(writer);
        csv.write(Stream.of(List.of("cell"), labels, ABOUT, columns)
                .flatMap(List::stream)
                .toList());
        for (int chunk = 0; chunk < sweep.chunks(); chunk++) {
            wanted(chunk).forEach(row -> csv(row, labels, columns, csv));
            csv.flush();
        }
    }

    private static void csv(SweepCellResponse row, List<String> labels, List<String> columns, CsvLines csv) {
        List<Map<String, Object>> lines = best(row).toList();
        for (Map<String, Object> best : lines.isEmpty() ? List.of(Map.<String, Object>of()) : lines) {
            List<@Nullable Object> fields = new ArrayList<>();
            fields.add(row.cell());
            labels.forEach(label -> fields.add(row.coordinates().get(label)));
            fields.add(WireFormat.name(row.outcome()));
            fields.add(row.why());
            columns.forEach(column -> fields.add(best.get(column)));
            csv.write(fields);
        }
    }

    /// A document a line.
    public void jsonLines(Writer writer) throws IOException {
        for (int chunk = 0; chunk < sweep.chunks(); chunk++) {
            for (SweepCellResponse row : wanted(chunk).toList()) {
                writer.write(WireFormat.write(row));
                writer.write('\n');
            }
            writer.flush();
        }
    }
}
