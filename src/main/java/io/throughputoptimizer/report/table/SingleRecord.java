package io.throughputoptimizer.report.table;

import io.throughputoptimizer.api.result.figure.BandResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A table of one row, put together from left to right.
public final class SingleRecord {
    /// Shown where a table is made for people.
    private static final int DECIMALS = 3;

    private final List<String> columns = new ArrayList<>();
    private final List<Cell> cells = new ArrayList<>();

    public SingleRecord text(String title, String text) {
        return add(title, new Cell.Text(text));
    }

    public SingleRecord count(String title, @Nullable Long count) {
        return add(title, count == null ? Cell.MISSING : new Cell.Count(count));
    }

    public SingleRecord figure(String title, @Nullable Double figure) {
        return add(title, figure == null ? Cell.MISSING : new Cell.Figure(figure, DECIMALS));
    }

    /// A figure, followed by the ends of its band, or on an Ascend device of its range.
    public SingleRecord banded(String title, @Nullable BandedFigure figure) {
        BandResponse ends = figure == null ? null : figure.ends();
        return figure(title, figure == null ? null : (Double) figure.value())
                .figure(title + "_low", ends == null ? null : ends.low())
                .figure(title + "_high", ends == null ? null : ends.high());
    }

    public Table table() {
        return new Table(columns, List.of(cells));
    }

    private SingleRecord add(String title, Cell cell) {
        columns.add(title);
        cells.add(cell);
        return this;
    }
}
