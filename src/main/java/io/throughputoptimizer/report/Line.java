package io.throughputoptimizer.report;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.ResultRow.CompositionRow;
import io.throughputoptimizer.core.search.ResultRow.Figures;
import io.throughputoptimizer.report.Findings.DeviceFindings;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One line of a table: a row, or a detail of it, which is one part of its mixed batch.
///
/// @param result that the row stands in
/// @param part absent on the row's own line
record Line(
        DeviceFindings device,
        PhaseResult result,
        ResultRow row,
        @Nullable CompositionRow part) {
    private static final String ALL_LENGTHS = "all";
    private static final int RATIO_DECIMALS = 3;
    private static final int LEFT_OUT_DECIMALS = 6;

    /// The row's own line, then its details.
    static Stream<Line> of(DeviceFindings device, PhaseResult result, ResultRow row) {
        return Stream.concat(
                Stream.of(new Line(device, result, row, null)),
                row.composition().stream().map(part -> new Line(device, result, row, part)));
    }

    static Table table(List<Column> columns, Stream<Line> lines) {
        return new Table(
                columns.stream().map(Column::title).toList(),
                lines.map(line -> columns.stream()
                                .map(column -> column.cell().apply(line))
                                .toList())
                        .toList());
    }

    /// @param cell what stands in the column
    record Column(String title, Function<Line, Cell> cell) {}

    Cell rank() {
        return ofRow(Cell.count(row.rank()));
    }

    /// What the row delivers; details deliver nothing by themselves.
    Cell figure(Function<Figures, @Nullable Double> figure, int decimals) {
        Double number = figure.apply(row.figures());
        return number == null ? Cell.MISSING : ofRow(new Cell.Figure(number, decimals));
    }

    Cell inputTokens() {
        return part == null ? ofMix(new Cell.Text(ALL_LENGTHS)) : new Cell.Count(part.inputTokens());
    }

    Cell requestRatio() {
        return part == null
                ? ofMix(new Cell.Figure(1, RATIO_DECIMALS))
                : new Cell.Figure(part.requestRatio(), RATIO_DECIMALS);
    }

    /// Share of all requests whose lengths the mixed batch leaves out.
    Cell leftOutRatio() {
        return row.leftOutRatio() > 0 ? ofRow(new Cell.Figure(row.leftOutRatio(), LEFT_OUT_DECIMALS)) : Cell.MISSING;
    }

    /// Requests over all data parallel ranks, those of the details adding up to the row's.
    Cell samples() {
        return part == null ? ofMix(new Cell.Count(row.concurrency())) : new Cell.Count(part.samples());
    }

    Cell memory(ToDoubleFunction<MemoryFootprint> bytes) {
        return ofRow(new Cell.Figure(bytes.applyAsDouble(row.memory()) / MemoryFootprint.GIB, 3));
    }

    Cell flag(Predicate<MemoryFootprint> flag) {
        return ofRow(new Cell.Text(Boolean.toString(flag.test(row.memory()))));
    }

    /// Where the time of a phase goes (results, percentage breakdown text).
    Cell breakdown(@Nullable BoundShares shares) {
        return shares == null
                ? Cell.MISSING
                : ofRow(new Cell.Text("Mem %s | Comm %s | Cube %s | Vec %s"
                        .formatted(
                                Decimals.fixed(shares.memory(), 2),
                                Decimals.fixed(shares.communication(), 2),
                                Decimals.fixed(shares.matrix(), 2),
                                Decimals.fixed(shares.general(), 2))));
    }

    private Cell ofRow(Cell cell) {
        return part == null ? cell : Cell.MISSING;
    }

    private Cell ofMix(Cell cell) {
        return row.composition().isEmpty() ? Cell.MISSING : cell;
    }
}
