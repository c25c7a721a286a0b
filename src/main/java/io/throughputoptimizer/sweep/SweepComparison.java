package io.throughputoptimizer.sweep;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.sweep.SweepCellResponse;
import io.throughputoptimizer.api.sweep.SweepComparedResponse;
import io.throughputoptimizer.api.sweep.SweepGrid;
import io.throughputoptimizer.report.table.CsvLines;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A figure of two sweeps at each cell of the one, whatever the order of axes and values in the other.
///
/// @param value name of the figure
/// @param phase phase of the figure; null for the first phase that has it
public record SweepComparison(
        SweepRows one,
        SweepRows other,
        String value,
        @Nullable String phase) {
    private static final int KEPT_CHUNKS = 16;

    /// Chunks of the other sweep that were read last.
    private static final class Chunks extends LinkedHashMap<Integer, Map<Integer, SweepCellResponse>> {
        private static final long serialVersionUID = 1;

        Chunks() {
            super(KEPT_CHUNKS, 1, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Map<Integer, SweepCellResponse>> eldest) {
            return size() > KEPT_CHUNKS;
        }
    }

    /// Returns whether both sweeps have the same axes, in any order.
    public boolean isPossible() {
        List<String> labels = one.grid().labels();
        return labels.size() == other.grid().labels().size()
                && other.grid().labels().containsAll(labels);
    }

    public void csv(Writer writer) throws IOException {
        CsvLines csv = new CsvLines(writer);
        List<String> header = new ArrayList<>(one.grid().labels());
        header.addAll(List.of(value, "other", "difference", "ratio"));
        csv.write(header);
        forEach(compared -> {
            List<@Nullable Object> fields =
                    new ArrayList<>(compared.coordinates().values());
            fields.add(compared.value());
            fields.add(compared.other());
            fields.add(compared.difference());
            fields.add(compared.ratio());
            csv.write(fields);
        });
        csv.flush();
    }

    public void jsonLines(Writer writer) throws IOException {
        List<IOException> failure = new ArrayList<>();
        forEach(compared -> {
            try {
                writer.write(WireFormat.write(compared) + "\n");
            } catch (IOException e) {
                failure.add(e);
            }
        });
        if (!failure.isEmpty()) {
            throw failure.getFirst();
        }
    }

    private void forEach(Consumer<SweepComparedResponse> consumer) {
        Map<String, Map<Object, Integer>> places = new HashMap<>();
        other.grid()
                .labels()
                .forEach(label -> places.put(label, places(other.grid().values(label))));
        Chunks kept = new Chunks();
        for (int chunk = 0; chunk < one.sweep().chunks(); chunk++) {
            for (SweepCellResponse row : one.store().chunk(one.sweep().id(), chunk)) {
                Map<String, Object> coordinates = one.grid().coordinates(row.cell());
                consumer.accept(SweepComparedResponse.of(
                        coordinates,
                        SweepRows.value(row, value, phase),
                        cell(coordinates, places)
                                .flatMap(cell -> Optional.ofNullable(row(cell, kept)))
                                .map(found -> SweepRows.value(found, value, phase))
                                .orElse(null)));
            }
        }
    }

    private static Map<Object, Integer> places(List<Object> values) {
        Map<Object, Integer> places = new HashMap<>();
        IntStream.range(0, values.size()).forEach(place -> places.put(values.get(place), place));
        return places;
    }

    private @Nullable SweepCellResponse row(int cell, Chunks kept) {
        int chunk = cell / other.sweep().chunkCells();
        Map<Integer, SweepCellResponse> rows = kept.get(chunk);
        if (rows == null) {
            Map<Integer, SweepCellResponse> read = new HashMap<>();
            other.store().chunk(other.sweep().id(), chunk).forEach(row -> read.put(row.cell(), row));
            kept.put(chunk, read);
            rows = read;
        }
        return rows.get(cell);
    }

    /// The cell of the other sweep at the same coordinates; empty if there is none.
    private Optional<Integer> cell(Map<String, Object> coordinates, Map<String, Map<Object, Integer>> known) {
        SweepGrid grid = other.grid();
        int[] places = new int[grid.dimensions()];
        for (int dimension = 0; dimension < places.length; dimension++) {
            Integer place = null;
            for (String label : grid.labels(dimension)) {
                Integer own = known.getOrDefault(label, Map.of()).get(coordinates.get(label));
                if (own == null || (place != null && !place.equals(own))) {
                    return Optional.empty();
                }
                place = own;
            }
            places[dimension] = place == null ? 0 : place;
        }
        return Optional.of(grid.cell(places));
    }
}
