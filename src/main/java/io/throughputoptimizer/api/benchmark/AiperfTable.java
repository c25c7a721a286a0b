package io.throughputoptimizer.api.benchmark;

import io.throughputoptimizer.api.benchmark.ResultTable.Line;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The summary of a run that AIPerf exports as comma-separated values, and GenAI-Perf before it: a metric a line, its
/// mean in the column `avg`, then those of one value. It does not say what was sent.
final class AiperfTable {
    private static final String METRIC = "Metric";

    private final Map<String, Line> lines = new HashMap<>();
    private final Map<String, Integer> columns = new HashMap<>();

    private AiperfTable(ResultTable table) {
        int column = 1;
        for (Line line : table.lines()) {
            String name = line.value(0);
            if (name.equals(METRIC)) {
                column = Math.max(line.values().indexOf("avg"), 1);
            } else if (name.equals("Endpoint")) {
                break;
            } else if (!name.isEmpty()) {
                lines.putIfAbsent(key(name), line);
                columns.putIfAbsent(key(name), column);
            }
        }
    }

    static boolean isOne(ResultTable table) {
        return !table.lines().isEmpty() && table.lines().getFirst().value(0).equals(METRIC);
    }

    static FileRow row(ResultTable table) {
        return new AiperfTable(table).row();
    }

    private FileRow row() {
        Double outputs = figure("output sequence length");
        Double rate = figure("request throughput");
        Double latency = figure("request latency");
        Double mean = null;
        List<String> notes = List.of();
        if (rate != null && latency != null) {
            mean = rate * latency / 1_000;
            notes = List.of(Little.words(rate, latency / 1_000));
        }
        return new FileRow(
                "the file",
                null,
                Map.of(),
                mean,
                true,
                figure("input sequence length"),
                outputs,
                0,
                figure("inter token latency"),
                figure("time to first token"),
                figure("output token throughput"),
                notes);
    }

    /// Times are in ms.
    private @Nullable Double figure(String metric) {
        Line line = lines.get(metric);
        if (line == null) {
            return null;
        }
        String name = line.value(0);
        if (metric.contains("latency") || metric.startsWith("time")) {
            if (!name.endsWith("(ms)")) {
                throw ResultTable.refused(line.number(), "is of " + name + ": (ms) is needed");
            }
        }
        return ResultTable.figure(line, columns.getOrDefault(metric, 1), name);
    }

    /// Without unit, in lower case.
    private static String key(String name) {
        return name.replaceFirst(" *\\(.*", "").toLowerCase(Locale.ROOT);
    }
}
