package io.throughputoptimizer.report;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/// Comma-separated values: one header and one line a record, figures so that they read back as the same numbers.
final class CsvRenderer implements Renderer {

    @Override
    public String render(Report report) {
        Table records = report.records();
        StringWriter text = new StringWriter();
        try (CsvWriter csv = CsvWriter.builder().build(text)) {
            csv.writeRecord(records.columns());
            records.rows().forEach(row -> csv.writeRecord(fields(row)));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static List<String> fields(List<Cell> row) {
        return row.stream().map(CsvRenderer::field).toList();
    }

    private static String field(Cell cell) {
        return switch (cell) {
            case Cell.Text(String text) -> text;
            case Cell.Count(long number) -> Long.toString(number);
            case Cell.Figure figure -> Decimals.exact(figure.number());
            case Cell.Missing _ -> "";
        };
    }
}
