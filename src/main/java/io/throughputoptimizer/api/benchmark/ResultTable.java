package io.throughputoptimizer.api.benchmark;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Lines of comma-separated values of a file, as far as they matter.
///
/// @param lines first the header
record ResultTable(List<Line> lines) {
    private static final int LONGEST_LINE = 1 << 20;
    private static final int MOST_LINES = 2_000;
    private static final int MOST_VALUES = 1_000;

    /// Of a value that anybody looks at; longer ones count as empty.
    private static final int LONGEST_VALUE = 20_000;
    private static final int MOST_CHARACTERS = 2_000_000;

    /// @param number counted from 1
    record Line(long number, List<String> values) {
        String value(int column) {
            return column < values.size() ? values.get(column).strip() : "";
        }
    }

    /// @throws InvalidRequestException if a line is too long, or there are too many
    static ResultTable read(InputStream stream) throws IOException {
        List<Line> lines = new ArrayList<>();
        long characters = 0;
        try (CsvReader<CsvRecord> records = CsvReader.builder()
                .skipEmptyLines(false)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .maxBufferSize(LONGEST_LINE)
                .detectBomHeader(true)
                .ofCsvRecord(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (CsvRecord values : records) {
                if (values.getFieldCount() > MOST_VALUES) {
                    throw refused(values.getStartingLineNumber(), "has more than " + MOST_VALUES + " values");
                }
                if (lines.size() == MOST_LINES) {
                    throw refused(
                            values.getStartingLineNumber(), "is one too many: at most " + MOST_LINES + " are read");
                }
                List<String> kept = values.getFields().stream()
                        .map(value -> value.length() > LONGEST_VALUE ? "" : value)
                        .toList();
                characters += kept.stream().mapToLong(String::length).sum();
                if (characters > MOST_CHARACTERS) {
                    throw refused(
                            values.getStartingLineNumber(),
                            "is where there are more than " + MOST_CHARACTERS + " characters to look at");
                }
                lines.add(new Line(values.getStartingLineNumber(), kept));
            }
        } catch (CsvParseException e) {
            throw refused(lines.size() + 1L, "cannot be read, or is longer than " + LONGEST_LINE + " characters");
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return new ResultTable(lines);
    }

    /// A figure above 0; absent where there is none.
    ///
    /// @param name what it is, for people
    static @Nullable Double figure(Line line, int column, String name) {
        String text = column < 0 ? "" : line.value(column);
        if (text.isEmpty()) {
            return null;
        }
        // Thousands are set apart by commas in older exports.
        String digits = text.replace(",", "");
        double value;
        try {
            value = Double.parseDouble(digits);
        } catch (NumberFormatException _) {
            value = Double.NaN;
        }
        if (!(value > 0 && Double.isFinite(value))) {
            String shown = text.length() > 40 ? text.substring(0, 40) + "..." : text;
            throw refused(line.number, "has " + name + " \"" + shown + "\": a number above 0 is needed");
        }
        return value;
    }

    static InvalidRequestException refused(long line, String fault) {
        return new InvalidRequestException(
                List.of(new Violation("", String.format(Locale.ROOT, "line %d %s", line, fault))));
    }
}
