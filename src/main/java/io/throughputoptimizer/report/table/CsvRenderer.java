package io.throughputoptimizer.report.table;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.Report.Renderer;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Comma-separated values: one header and one line a record, figures so that they read back as the same
/// numbers. A text that a spreadsheet would take for a formula follows an apostrophe, and what would move a
/// cursor is written as its number, but for tabs and line ends.
public final class CsvRenderer implements Renderer {
    /// Also in full-width characters and after blanks; a leading tab or line end may be dropped by the reader.
    private static final Pattern FORMULA = Pattern.compile("^([\\s\\p{Z}]*[=+@\\-＝＋＠－]|[\\t\\r\\n])");

    private static final Pattern MOVES = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}&&[^\\t\\r\\n]]");

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

    /// A cell as it stands between commas.
    static String field(Cell cell) {
        return switch (cell) {
            case Cell.Text(String text) -> harmless(text);
            case Cell.Count(long number) -> Long.toString(number);
            case Cell.Figure figure -> Decimals.exact(figure.number());
            case Cell.Missing _ -> "";
        };
    }

    private static String harmless(String text) {
        String shown = MOVES.matcher(text).replaceAll(moving -> Matcher.quoteReplacement(Printable.of(moving.group())));
        return FORMULA.matcher(shown).find() ? "'" + shown : shown;
    }
}
