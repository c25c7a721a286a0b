package io.throughputoptimizer.report;

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
