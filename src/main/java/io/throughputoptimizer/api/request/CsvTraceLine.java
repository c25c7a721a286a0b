package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.request.TraceReader.Trace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Lines of comma-separated values (RFC 4180, but for line ends within quotes): two numbers each, or columns under a
/// header that names both lengths, in any order and among others.
final class CsvTraceLine implements TraceReader.LineReader {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9.]+");

    private static final int MOST_COLUMNS = 1_000;

    private List<String> columns = List.of();
    private final Set<Integer> lengths = new HashSet<>();

    @Override
    public void read(TraceLines line, Trace counts) {
        List<String> fields = fields(line);
        if (columns.isEmpty() && !startsWithNumbers(fields, line.number())) {
            return;
        }
        if (fields.size() != columns.size()) {
            throw BrokenTrace.at(line.number(), "has " + fields.size() + " values: " + columns.size() + " are needed");
        }
        counts.add(tokens(line, TraceReader.INPUT, fields), tokens(line, TraceReader.OUTPUT, fields));
    }

    private int tokens(TraceLines line, String column, List<String> fields) {
        return TraceReader.tokens(line.number(), column, fields.get(columns.indexOf(column)));
    }

    /// Takes the first line for a header unless it has a number.
    private boolean startsWithNumbers(List<String> fields, long line) {
        if (fields.stream().anyMatch(field -> NUMBER.matcher(field).matches())) {
            setColumns(List.of(TraceReader.INPUT, TraceReader.OUTPUT));
            return true;
        }
        if (fields.stream().anyMatch(name -> name.length() > Bounds.NAME)) {
            throw BrokenTrace.at(line, "has a column whose name is longer than " + Bounds.NAME + " characters");
        }
        List<String> names =
                fields.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
        for (String needed : List.of(TraceReader.INPUT, TraceReader.OUTPUT)) {
            long found = names.stream().filter(needed::equals).count();
            if (found != 1) {
                throw BrokenTrace.at(
                        line,
                        "is a header with " + found + " columns " + needed + ": exactly one is needed, or two numbers"
                                + " a line without a header");
            }
        }
        setColumns(names);
        return false;
    }

    private void setColumns(List<String> names) {
        columns = names;
        lengths.add(names.indexOf(TraceReader.INPUT));
        lengths.add(names.indexOf(TraceReader.OUTPUT));
    }

    /// Texts of those columns that have a length, empty ones of the others, which may be long and matter to nobody; of
    /// the first line all.
    ///
    /// All bytes are characters here: names and numbers that matter are ASCII.
    private List<String> fields(TraceLines line) {
        byte[] bytes = line.buffer();
        int end = line.offset() + line.length();
        List<String> fields = new ArrayList<>();
        int begin = line.offset();
        boolean quoted = false;
        for (int index = begin; index < end; index++) {
            if (bytes[index] == '"') {
                quoted = !quoted;
            } else if (bytes[index] == ',' && !quoted) {
                add(fields, line, begin, index);
                begin = index + 1;
            }
        }
        if (quoted) {
            throw BrokenTrace.at(line.number(), "has a quote that does not end on it");
        }
        add(fields, line, begin, end);
        return fields;
    }

    private void add(List<String> fields, TraceLines line, int begin, int end) {
        int column = fields.size();
        if (column == MOST_COLUMNS) {
            throw BrokenTrace.at(line.number(), "has more than " + MOST_COLUMNS + " values");
        }
        boolean matters = columns.isEmpty() || lengths.contains(column);
        fields.add(matters ? field(new String(line.buffer(), begin, end - begin, StandardCharsets.ISO_8859_1)) : "");
    }

    private static String field(String text) {
        String bare = text.strip();
        return bare.length() > 1 && bare.startsWith("\"") && bare.endsWith("\"")
                ? bare.substring(1, bare.length() - 1).strip()
                : bare;
    }
}
