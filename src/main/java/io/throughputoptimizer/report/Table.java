package io.throughputoptimizer.report;

import java.util.List;

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
}
