package io.throughputoptimizer.report.table;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Comma-separated values, written as they come, as those of reports are.
public final class CsvLines implements AutoCloseable {
    private final CsvWriter csv;

    public CsvLines(Writer writer) {
        this.csv = CsvWriter.builder().build(writer);
    }

    /// Writes a line of texts, numbers and truths; null is an empty field.
    public void write(List<? extends @Nullable Object> values) {
        csv.writeRecord(values.stream().map(CsvLines::field).toList());
    }

    private static String field(@Nullable Object value) {
        return value == null ? "" : CsvRenderer.field(GridTable.cell(value));
    }

    /// Passes on what was written; the writer stays open.
    public void flush() {
        try {
            csv.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            csv.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
