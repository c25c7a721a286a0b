package io.throughputoptimizer.api.benchmark;

import io.throughputoptimizer.api.benchmark.ResultTable.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The comma-separated values of GuideLLM: columns under three header lines, a benchmark a line.
final class GuideLlmTable {
    private static final int HEADERS = 3;
    private static final String MEAN = "Mean";
    private static final Pattern STREAMS = Pattern.compile("\"streams\": *(?:\\[([0-9, ]*)]|([0-9]+))");
    private static final Pattern MODEL = Pattern.compile("\"model\": *\"([^\"]{1,256})\"");

    private final ResultTable table;

    private GuideLlmTable(ResultTable table) {
        this.table = table;
    }

    static boolean isOne(ResultTable table) {
        return !table.lines().isEmpty() && table.lines().getFirst().values().contains("Run Info");
    }

    static List<FileRow> rows(ResultTable table) {
        GuideLlmTable read = new GuideLlmTable(table);
        List<FileRow> rows = new ArrayList<>();
        for (int index = HEADERS; index < table.lines().size(); index++) {
            Line line = table.lines().get(index);
            if (line.values().stream().anyMatch(value -> !value.isBlank())) {
                rows.add(read.row(line, index - HEADERS));
            }
        }
        if (rows.isEmpty()) {
            throw ResultTable.refused(table.lines().size(), "is the last: no benchmark follows the headers");
        }
        return rows;
    }

    private FileRow row(Line line, int benchmark) {
        List<String> notes = new ArrayList<>();
        double requests = needed(line, "Request Counts", "Successful", "");
        Double failed = column("Request Counts", "Errored", "") < 0
                        || line.value(column("Request Counts", "Errored", "")).equals("0")
                ? null
                : figure(line, "Request Counts", "Errored", "");
        if (failed != null) {
            notes.add(String.format(Locale.ROOT, "%.0f requests failed, and are not in the means", failed));
        }
        Double kept = kept(line, benchmark);
        double concurrency = kept == null ? needed(line, "Server Throughput", "Successful Concurrency", MEAN) : kept;
        if (kept == null) {
            notes.add(String.format(
                    Locale.ROOT, "%.2f requests outstanding in the mean, as GuideLLM counted", concurrency));
        }
        double outputs = needed(line, "Token Metrics", "Successful Output Tokens", MEAN);
        return new FileRow(
                "line " + line.number(),
                model(line),
                Map.of(),
                concurrency,
                kept == null,
                needed(line, "Token Metrics", "Successful Input Tokens", MEAN),
                outputs,
                requests,
                outputs > 1 ? figure(line, "Inter Token Latency", "Successful ms", MEAN) : null,
                figure(line, "Time to First Token", "Successful ms", MEAN),
                figure(line, "Token Throughput", "Successful Output Tokens/Sec", MEAN),
                notes);
    }

    /// Requests that clients kept up, of which the profile has one number for each benchmark.
    private @Nullable Double kept(Line line, int benchmark) {
        int strategy = column("Benchmark", "Strategy", "");
        String type = strategy < 0 ? "" : line.value(strategy);
        if (type.equals("synchronous")) {
            return 1.0;
        }
        int profile = column("Run Info", "Profile", "");
        Matcher streams = STREAMS.matcher(profile < 0 ? "" : line.value(profile));
        if (!type.equals("concurrent") || !streams.find()) {
            return null;
        }
        if (streams.group(2) != null) {
            return Double.valueOf(streams.group(2));
        }
        String[] each = streams.group(1).split(", *", -1);
        return benchmark < each.length && !each[benchmark].isBlank()
                ? Double.valueOf(each[benchmark].strip())
                : (Double) null;
    }

    private @Nullable String model(Line line) {
        int backend = column("Run Info", "Backend", "");
        Matcher model = MODEL.matcher(backend < 0 ? "" : line.value(backend));
        return model.find() ? model.group(1) : null;
    }

    private double needed(Line line, String group, String name, String statistic) {
        Double figure = figure(line, group, name, statistic);
        if (figure == null) {
            throw ResultTable.refused(
                    line.number(), "has no " + words(group, name, statistic) + ": a number above 0 is needed");
        }
        return figure;
    }

    private @Nullable Double figure(Line line, String group, String name, String statistic) {
        return ResultTable.figure(line, column(group, name, statistic), words(group, name, statistic));
    }

    private static String words(String group, String name, String statistic) {
        return (group + ", " + name + ", " + statistic).replaceFirst(", $", "");
    }

    private int column(String group, String name, String statistic) {
        List<Line> headers =
                table.lines().subList(0, Math.min(HEADERS, table.lines().size()));
        if (headers.size() < HEADERS) {
            return -1;
        }
        for (int column = 0; column < headers.getFirst().values().size(); column++) {
            if (headers.get(0).value(column).equals(group)
                    && headers.get(1).value(column).equals(name)
                    && headers.get(2).value(column).equals(statistic)) {
                return column;
            }
        }
        return -1;
    }
}
