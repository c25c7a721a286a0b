package io.throughputoptimizer.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Rows under named columns.
record Table(List<String> columns, List<List<Cell>> rows) {
    Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<Cell> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("row " + row + " has " + row.size() + " cells: " + columns.size()
                        + " are needed, one a column");
            }
        }
    }

    /// The table with another column.
    ///
    /// @param cells of its rows
    Table with(int at, String title, List<Cell> cells) {
        return new Table(
                inserted(columns, at, title),
                IntStream.range(0, rows.size())
                        .mapToObj(row -> inserted(rows.get(row), at, cells.get(row)))
                        .toList());
    }

    private static <T> List<T> inserted(List<T> all, int at, T one) {
        List<T> more = new ArrayList<>(all);
        more.add(at, one);
        return more;
    }

    /// The table without the columns in which no row says anything.
    Table withoutEmptyColumns() {
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
