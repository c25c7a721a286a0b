package io.throughputoptimizer.core.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/// The rows that the search of one layout records: all of them, or where nobody lists them and there are many only
/// those that can still be shown.
final class RecordedRows {
    /// Rows that are kept in any case.
    static final int MOST = 1024;

    private static final Comparator<ResultRow> ORDER = Comparator.comparingDouble(
                    (ResultRow row) -> row.figures().tokensPerSecond())
            .thenComparingLong(ResultRow::batchSize);

    private final Allowance allowance;
    private final int most;
    private final UnaryOperator<List<ResultRow>> contenders;
    private List<ResultRow> rows = new ArrayList<>();

    /// @param most rows that are many
    /// @param contenders of many rows those that can still be shown
    RecordedRows(Allowance allowance, int most, UnaryOperator<List<ResultRow>> contenders) {
        this.allowance = allowance;
        this.most = most;
        this.contenders = contenders;
    }

    /// Where all are listed.
    static RecordedRows all(Allowance allowance) {
        return new RecordedRows(allowance, Integer.MAX_VALUE, rows -> rows);
    }

    void add(ResultRow row) {
        allowance.take(Allowance.bytes(row));
        rows.add(row);
        if (rows.size() % (2 * MOST) == 0) {
            reduce();
        }
    }

    /// Puts another in the place of each.
    void replaceAll(UnaryOperator<ResultRow> row) {
        rows.replaceAll(row);
    }

    private void reduce() {
        List<ResultRow> left = new ArrayList<>(contenders.apply(rows));
        allowance.giveBack(bytes(rows) - bytes(left));
        rows = left;
    }

    private static long bytes(List<ResultRow> rows) {
        return rows.stream().mapToLong(Allowance::bytes).sum();
    }

    /// By ascending throughput, then batch size.
    List<ResultRow> sorted() {
        if (rows.size() > most) {
            reduce();
        }
        return rows.stream().sorted(ORDER).toList();
    }
}
