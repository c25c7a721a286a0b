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

/// Blocks of `LABEL: VALUE` that benchmarks print between lines of `=`, as JSON with labels in lower case.
/// Text around and in front of them, such as quotes and progress bars, is passed over.
final class PrintedBlocks {
    private static final int MOST_BLOCKS = 51;
    private static final Pattern OPENING = Pattern.compile("=+\\s*Serving Benchmark Result\\s*=+");
    private static final Pattern CLOSING = Pattern.compile("={10,}\\s*$");
    private static final Pattern FIGURE = Pattern.compile("^[>\\s|*]*([A-Za-z][^:]*?):\\s+(\\S.*?)\\s*$");
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");
    private static final String UNSET = "not set";

    private PrintedBlocks() {}

    /// Returns the blocks of a text as JSON documents, one a line; empty if it has none.
    static byte[] json(InputStream stream) throws IOException {
        TextLines lines = new TextLines(stream);
        StringBuilder documents = new StringBuilder();
        Map<String, Object> block = null;
        int blocks = 0;
        for (String line = lines.next(); line != null && blocks < MOST_BLOCKS; line = lines.next()) {
            if (OPENING.matcher(line).find()) {
                block = new LinkedHashMap<>();
            } else if (block != null && CLOSING.matcher(line).find()) {
                documents.append(JsonMapper.shared().writeValueAsString(block)).append('\n');
                block = null;
                blocks++;
            } else if (block != null) {
                Matcher figure = FIGURE.matcher(line);
                if (figure.matches() && !figure.group(2).equals(UNSET)) {
                    String value = figure.group(2);
                    block.putIfAbsent(
                            figure.group(1).replaceAll("\\s+", " ").toLowerCase(Locale.ROOT),
                            NUMBER.matcher(value).matches() ? (Object) Double.valueOf(value) : value);
                }
            }
        }
        return documents.toString().getBytes(StandardCharsets.UTF_8);
    }
}
