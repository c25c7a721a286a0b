package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.request.TraceReader.Trace;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Lines of comma-separated values (RFC 4180, but for line ends within quotes): two numbers each, or columns under a
/// header that names both lengths, in any order and among others.
final class CsvTraceLine implements TraceReader.LineReader {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9.]+");

    private List<String> columns = List.of();

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
            columns = List.of(TraceReader.INPUT, TraceReader.OUTPUT);
            return true;
        }
        columns = fields.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
        for (String needed : List.of(TraceReader.INPUT, TraceReader.OUTPUT)) {
            long found = columns.stream().filter(needed::equals).count();
            if (found != 1) {
                throw BrokenTrace.at(
                        line,
                        "is a header with " + found + " columns " + needed + ": exactly one is needed, or two numbers"
                                + " a line without a header");
            }
        }
        return false;
    }

    /// All bytes are characters here: names and numbers that matter are ASCII.
    private static List<String> fields(TraceLines line) {
        String text = new String(line.buffer(), line.offset(), line.length(), StandardCharsets.ISO_8859_1);
        List<String> fields = new ArrayList<>();
        int begin = 0;
        boolean quoted = false;
        for (int index = 0; index < text.length(); index++) {
            char c = text.charAt(index);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.add(field(text.substring(begin, index)));
                begin = index + 1;
            }
        }
        if (quoted) {
            throw BrokenTrace.at(line.number(), "has a quote that does not end on it");
        }
        fields.add(field(text.substring(begin)));
        return fields;
    }

    private static String field(String text) {
        String bare = text.strip();
        return bare.length() > 1 && bare.startsWith("\"") && bare.endsWith("\"")
                ? bare.substring(1, bare.length() - 1).strip()
                : bare;
    }
}
