package io.throughputoptimizer.report.table;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Rows under named columns.
public record Table(List<String> columns, List<List<Cell>> rows) {
    public Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<Cell> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("row " + row + " has " + row.size() + " cells: " + columns.size()
                        + " are needed, one a column");
            }
        }
    }

    /// A table for people: a line a thing.
    public static <R> Table titled(List<Column<R>> columns, List<R> things) {
        List<Column<R>> shown = shown(columns, Column::title, things);
        return new Table(
                shown.stream().map(Column::title).toList(),
                things.stream()
                        .map(thing -> shown.stream()
                                .map(column -> column.titledCell(thing))
                                .toList())
                        .toList());
    }

    /// A table for programs: a record a thing.
    ///
    /// @param ends whether figures are followed by theirs
    public static <R> Table recorded(List<Column<R>> columns, List<R> things, boolean ends) {
        List<Column<R>> shown = shown(columns, Column::name, things).stream()
                .flatMap(column -> ends ? column.withEnds() : Stream.of(column))
                .toList();
        return new Table(
                shown.stream().map(Column::name).toList(),
                things.stream()
                        .map(thing -> shown.stream()
                                .map(column -> column.cell().apply(thing))
                                .toList())
                        .toList());
    }

    private static <R> List<Column<R>> shown(
            List<Column<R>> columns, Function<Column<R>, String> heading, List<R> things) {
        return columns.stream()
                .filter(column -> !heading.apply(column).equals(Column.NONE))
                .filter(column -> column.shown().test(things))
                .toList();
    }

    /// The table without the columns in which no row says anything.
    public Table withoutEmptyColumns() {
        int[] kept = IntStream.range(0, columns.size())
                .filter(column -> rows.stream().anyMatch(row -> !(row.get(column) instanceof Cell.Missing)))
                .toArray();
        return new Table(
                pick(columns, kept), rows.stream().map(row -> pick(row, kept)).toList());
    }

    private static <T> List<T> pick(List<T> all, int[] kept) {
        return IntStream.of(kept).mapToObj(all::get).toList();
    }
}
