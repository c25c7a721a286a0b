package io.throughputoptimizer.report.table;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A figure over two axes: a line for each value of the one, a column for each of the other.
///
/// @param value what is shown
/// @param rowLabel of the axis that goes down
/// @param columnLabel of the axis that goes to the right
/// @param cells of each row; null where there is no such figure
public record GridTable(
        String value,
        String rowLabel,
        String columnLabel,
        List<String> rows,
        List<String> columns,
        List<List<@Nullable Object>> cells) {
    private static final int DECIMALS = 2;

    /// Text, count or figure.
    static Cell cell(@Nullable Object value) {
        return switch (value) {
            case null -> Cell.MISSING;
            case Double number -> new Cell.Figure(number, DECIMALS);
            case Integer number -> new Cell.Count(number);
            case Long number -> new Cell.Count(number);
            default -> new Cell.Text(value.toString());
        };
    }

    /// Returns the corner: the name of the vertical axis, then of the horizontal one.
    private String corner() {
        return rowLabel + " \\ " + columnLabel;
    }

    private List<String> header() {
        return Stream.concat(Stream.of(corner()), columns.stream()).toList();
    }

    /// In a frame, under the name of the figure.
    public String text() {
        List<List<Cell>> lines = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            List<Cell> line = new ArrayList<>();
            line.add(new Cell.Text(rows.get(row)));
            cells.get(row).forEach(value -> line.add(cell(value)));
            lines.add(line);
        }
        Table table = new Table(header().stream().map(Printable::of).toList(), lines);
        return Printable.of(value) + "\n" + String.join("\n", TableText.framed(table)) + "\n";
    }

    /// Returns comma-separated values.
    public String csv() {
        StringWriter text = new StringWriter();
        try (CsvLines csv = new CsvLines(text)) {
            csv.write(header());
            for (int row = 0; row < rows.size(); row++) {
                List<@Nullable Object> line = new ArrayList<>();
                line.add(rows.get(row));
                line.addAll(cells.get(row));
                csv.write(line);
            }
        }
        return text.toString();
    }
}
