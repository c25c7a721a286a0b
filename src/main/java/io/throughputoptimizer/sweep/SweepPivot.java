package io.throughputoptimizer.sweep;

import io.throughputoptimizer.api.sweep.Change.Coordinates;
import io.throughputoptimizer.api.sweep.SweepCellResponse;
import io.throughputoptimizer.api.sweep.SweepGrid;
import io.throughputoptimizer.api.sweep.SweepTableResponse;
import io.throughputoptimizer.api.sweep.SweepTableResponse.FieldResponse;
import io.throughputoptimizer.report.table.GridTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A figure of a sweep over two of its axes, at one value of each of the others.
///
/// @param rows label of the axis that goes down
/// @param columns label of that which goes to the right; absent for one column
/// @param value name of the figure
/// @param phase phase of the figure; null for the first phase that has it
/// @param where values of other axes, by label, as text
public record SweepPivot(
        String rows,
        @Nullable String columns,
        String value,
        @Nullable String phase,
        Map<String, String> where) {
    private static final int NOT_FIXED = -1;

    /// The pivot cannot be made.
    public static final class ImpossibleException extends RuntimeException {
        private final String parameter;

        ImpossibleException(String parameter, String message) {
            super(message);
            this.parameter = parameter;
        }

        /// Returns the name of the invalid parameter.
        public String parameter() {
            return parameter;
        }
    }

    public SweepPivot {
        where = Map.copyOf(where);
    }

    /// Reads only the chunks that hold what it shows.
    ///
    /// @throws ImpossibleException naming the component at fault
    public SweepTableResponse of(SweepRows all) {
        SweepGrid grid = all.grid();
        int down = dimension("rows", rows, grid);
        int right = columns == null ? NOT_FIXED : dimension("columns", columns, grid);
        if (down == right) {
            throw new ImpossibleException("columns", "must differ from the axis of the rows, got \"" + columns + "\"");
        }
        List<String> known = all.values();
        if (!known.contains(value)) {
            throw new ImpossibleException(
                    "metric", "must be one of " + String.join(", ", known) + ", got \"" + value + "\"");
        }
        int[][] numbers = numbers(grid, down, right);
        Map<Integer, Object> found = found(all, numbers);
        return new SweepTableResponse(
                value,
                rows,
                columns == null ? value : columns,
                texts(grid, rows),
                columns == null ? List.of(value) : texts(grid, columns),
                Arrays.stream(numbers)
                        .map(row -> Arrays.stream(row)
                                .mapToObj(cell -> new FieldResponse(cell, found.get(cell)))
                                .toList())
                        .toList());
    }

    /// Cells that are shown, row by row.
    private int[][] numbers(SweepGrid grid, int down, int right) {
        int[] places = fixed(grid, down, right);
        int[][] numbers = new int[grid.size(down)][right == NOT_FIXED ? 1 : grid.size(right)];
        for (int row = 0; row < numbers.length; row++) {
            for (int column = 0; column < numbers[row].length; column++) {
                places[down] = row;
                if (right != NOT_FIXED) {
                    places[right] = column;
                }
                numbers[row][column] = grid.cell(places);
            }
        }
        return numbers;
    }

    private Map<Integer, Object> found(SweepRows all, int[][] numbers) {
        Set<Integer> shown =
                Arrays.stream(numbers).flatMapToInt(Arrays::stream).boxed().collect(Collectors.toSet());
        Set<Integer> chunks = new TreeSet<>();
        shown.forEach(cell -> chunks.add(cell / all.sweep().chunkCells()));
        Map<Integer, Object> found = new HashMap<>();
        for (int chunk : chunks) {
            for (SweepCellResponse row : all.store().chunk(all.sweep().id(), chunk)) {
                Object figure = shown.contains(row.cell()) ? SweepRows.value(row, value, phase) : null;
                if (figure != null) {
                    found.put(row.cell(), figure);
                }
            }
        }
        return found;
    }

    /// Converts a table for display.
    public static GridTable drawn(SweepTableResponse table) {
        List<List<@Nullable Object>> cells = new ArrayList<>();
        for (List<FieldResponse> row : table.fields()) {
            List<@Nullable Object> values = new ArrayList<>();
            row.forEach(field -> values.add(field.value()));
            cells.add(values);
        }
        return new GridTable(
                table.value(), table.rowLabel(), table.columnLabel(), table.rows(), table.columns(), cells);
    }

    private static List<String> texts(SweepGrid grid, String label) {
        return grid.values(label).stream().map(Coordinates::text).toList();
    }

    private static int dimension(String parameter, String label, SweepGrid grid) {
        OptionalInt dimension = grid.dimension(label);
        if (dimension.isEmpty()) {
            throw new ImpossibleException(
                    parameter, "must be one of " + String.join(", ", grid.labels()) + ", got \"" + label + "\"");
        }
        return dimension.getAsInt();
    }

    /// Places along the dimensions that are not shown.
    private int[] fixed(SweepGrid grid, int down, int right) {
        int[] places = new int[grid.dimensions()];
        Arrays.fill(places, NOT_FIXED);
        where.forEach((label, text) -> {
            int dimension = dimension("filter", label, grid);
            int place = texts(grid, label).indexOf(text);
            if (dimension == down || dimension == right) {
                throw new ImpossibleException("filter", "names \"" + label + "\", which is shown");
            }
            if (place < 0) {
                throw new ImpossibleException(
                        "filter", "must name one of " + shown(texts(grid, label)) + ", got " + label + "=" + text);
            }
            if (places[dimension] != NOT_FIXED && places[dimension] != place) {
                throw new ImpossibleException("filter", "names values that do not go together");
            }
            places[dimension] = place;
        });
        IntStream.range(0, places.length)
                .filter(dimension -> dimension != down && dimension != right && places[dimension] == NOT_FIXED)
                .forEach(dimension -> {
                    if (grid.size(dimension) > 1) {
                        String label = grid.labels(dimension).getFirst();
                        throw new ImpossibleException(
                                "filter", "must set " + label + " to one of " + shown(texts(grid, label)));
                    }
                    places[dimension] = 0;
                });
        return places;
    }

    private static String shown(List<String> texts) {
        return texts.size() <= 20
                ? String.join(", ", texts)
                : String.join(", ", texts.subList(0, 20)) + " and " + (texts.size() - 20) + " more";
    }
}
