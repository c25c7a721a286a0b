package io.throughputoptimizer.api.benchmark;

import io.throughputoptimizer.api.TextLines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/// Blocks that benchmarks print, as JSON: `LABEL: VALUE` between lines of `=`, with labels in lower case, and the
/// table of evalscope. Text around and in front of them, such as quotes and progress bars, is passed over.
final class PrintedBlocks {
    private static final int MOST_BLOCKS = 51;
    private static final Pattern OPENING = Pattern.compile("=+\\s*Serving Benchmark Result\\s*=+");
    private static final Pattern CLOSING = Pattern.compile("={10,}\\s*$");
    private static final Pattern FIGURE = Pattern.compile("^[>\\s|*]*([A-Za-z][^:]*?):\\s+(\\S.*?)\\s*$");
    private static final Pattern TABLE = Pattern.compile("Benchmarking summary:");
    private static final Pattern ROW =
            Pattern.compile("[^|\u2502]*[|\u2502] *([^|\u2502]*?) *[|\u2502] *([^|\u2502]*?) *[|\u2502]\\s*");
    private static final Pattern END = Pattern.compile("Percentile results|\u2514");
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");
    private static final String UNSET = "not set";

    private PrintedBlocks() {}

    /// Returns the blocks of a text as JSON documents, one a line; empty if it has none.
    static byte[] json(InputStream stream) throws IOException {
        TextLines lines = new TextLines(stream);
        StringBuilder documents = new StringBuilder();
        Map<String, Object> block = null;
        boolean table = false;
        int blocks = 0;
        for (String line = lines.next(); blocks < MOST_BLOCKS; line = lines.next()) {
            boolean ends =
                    line == null ? table : (table ? END : CLOSING).matcher(line).find();
            if (block != null && ends) {
                documents.append(JsonMapper.shared().writeValueAsString(block)).append('\n');
                blocks++;
                block = null;
            }
            if (line == null) {
                break;
            }
            boolean opensTable = TABLE.matcher(line).find();
            if (opensTable || OPENING.matcher(line).find()) {
                block = new LinkedHashMap<>();
                table = opensTable;
            } else if (block != null) {
                put(block, (table ? ROW : FIGURE).matcher(line), table);
            }
        }
        return documents.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Adds a figure, or several such as `Success / Failed` with `400 / 0`.
    private static void put(Map<String, Object> block, Matcher figure, boolean table) {
        if (!figure.matches() || figure.group(2).isEmpty() || figure.group(2).equals(UNSET)) {
            return;
        }
        String label = table
                ? figure.group(1)
                : figure.group(1).replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
        String[] labels = label.split(" / ", -1);
        String[] values = figure.group(2).split(" / ", -1);
        if (labels.length != values.length) {
            labels = new String[] {label};
            values = new String[] {figure.group(2)};
        }
        for (int i = 0; i < labels.length; i++) {
            block.putIfAbsent(
                    labels[i], NUMBER.matcher(values[i]).matches() ? (Object) Double.valueOf(values[i]) : values[i]);
        }
    }
}
