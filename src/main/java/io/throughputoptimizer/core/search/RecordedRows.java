package io.throughputoptimizer.core.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/// Recorded rows of one layout's search: all rows, or beyond a threshold, if the result does not list them,
/// only those that can still be shown.
final class RecordedRows {
    /// Number of rows that are always retained.
    static final int MOST = 1024;

    private static final Comparator<ResultRow> ORDER = Comparator.comparingDouble(
                    (ResultRow row) -> row.figures().tokensPerSecond())
            .thenComparingLong(ResultRow::batchSize);

    private final MemoryBudget allowance;
    private final int most;
    private final UnaryOperator<List<ResultRow>> contenders;
    private List<ResultRow> rows = new ArrayList<>();

    /// Creates a list that prunes its rows.
    ///
    /// @param most row count that triggers pruning
    /// @param contenders selection of the rows that can still be shown
    RecordedRows(MemoryBudget allowance, int most, UnaryOperator<List<ResultRow>> contenders) {
        this.allowance = allowance;
        this.most = most;
        this.contenders = contenders;
    }

    /// Returns a list that retains all rows.
    static RecordedRows all(MemoryBudget allowance) {
        return new RecordedRows(allowance, Integer.MAX_VALUE, rows -> rows);
    }

    void add(ResultRow row) {
        allowance.take(MemoryBudget.bytes(row));
        rows.add(row);
        if (rows.size() % (2 * MOST) == 0) {
            reduce();
        }
    }

    /// Replaces each row.
    void replaceAll(UnaryOperator<ResultRow> row) {
        rows.replaceAll(row);
    }

    private void reduce() {
        List<ResultRow> left = new ArrayList<>(contenders.apply(rows));
        allowance.giveBack(bytes(rows) - bytes(left));
        rows = left;
    }

    private static long bytes(List<ResultRow> rows) {
        return rows.stream().mapToLong(MemoryBudget::bytes).sum();
    }

    /// Returns the rows by ascending throughput, then batch size.
    List<ResultRow> sorted() {
        if (rows.size() > most) {
            reduce();
        }
        return rows.stream().sorted(ORDER).toList();
    }
}
