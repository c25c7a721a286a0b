package io.throughputoptimizer.api.benchmark;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.WireFormat.Syntax;
import io.throughputoptimizer.api.benchmark.ResultPath.Names;
import io.throughputoptimizer.api.benchmark.ResultPath.Value;
import io.throughputoptimizer.api.benchmark.ResultReader.Document;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.request.MeasurementRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The mappings of all tools, and the reader of their files.
public final class ResultFormats {
    private static final int LONGEST_YAML = 1 << 20;

    private final List<ResultFormat> formats;
    private final Names names = new Names();

    /// @param mappings mapping files in YAML
    public ResultFormats(List<byte[]> mappings) {
        if (mappings.isEmpty()) {
            throw new IllegalArgumentException("no mapping of a benchmark tool");
        }
        formats = mappings.stream()
                .map(mapping -> WireFormat.read(Syntax.YAML, mapping, ResultFormat.class))
                .toList();
        formats.forEach(format -> format.addTo(names));
    }

    /// A result file.
    public record ResultFile(String tool, List<FileRow> rows) {}

    /// Reads JSON documents that follow one another.
    ///
    /// @throws InvalidRequestException naming the line or member, if no tool writes such a file or a value is
    ///     invalid
    public ResultFile json(InputStream stream) throws IOException {
        Set<String> tools = new LinkedHashSet<>();
        List<FileRow> rows = new ArrayList<>();
        for (Document document : ResultReader.json(stream, names)) {
            ResultFormat format = format(document);
            tools.add(format.tool());
            rows.addAll(rows(format, document));
        }
        if (tools.size() > 1) {
            throw ResultReader.refused("must be of one tool, got results of " + String.join(" and ", tools));
        }
        return file(tools.isEmpty() ? "" : tools.iterator().next(), rows);
    }

    /// Reads a YAML document, whole and within the bounds of requests.
    ///
    /// @throws InvalidRequestException like [#json(InputStream)]
    public ResultFile yaml(InputStream stream) throws IOException {
        byte[] document = stream.readNBytes(LONGEST_YAML + 1);
        if (document.length > LONGEST_YAML) {
            throw ResultReader.refused("must be at most " + LONGEST_YAML + " bytes of YAML. Convert it to JSON");
        }
        String json = WireFormat.parse(Syntax.YAML, document, Object.class).json();
        return json(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    /// Reads the blocks that `vllm bench serve`, `sglang.bench_serving` and `evalscope perf` print.
    ///
    /// @throws InvalidRequestException like [#json(InputStream)]
    public ResultFile text(InputStream stream) throws IOException {
        byte[] blocks = PrintedBlocks.json(stream);
        if (blocks.length == 0) {
            throw ResultReader.refused("has no block \"Serving Benchmark Result\". Send what vllm bench serve,"
                    + " sglang.bench_serving or evalscope perf prints, with the lines of = around it.");
        }
        return json(new ByteArrayInputStream(blocks));
    }

    /// Reads CSV.
    ///
    /// @throws InvalidRequestException like [#json(InputStream)]
    public ResultFile csv(InputStream stream) throws IOException {
        List<ResultFormat> chosen = new ArrayList<>();
        List<FileRow> rows = new ArrayList<>();
        for (Document run : ResultReader.csv(stream, line -> {
            chosen.add(format(
                    "must have the header of a CSV file",
                    format -> format.table() != null
                            && line.contains(format.table().marker())));
            return chosen.getFirst();
        })) {
            Value root = new Value(run.root(), "");
            String place = run.place().isEmpty() ? "the file" : run.place();
            rows.add(new RunReader(chosen.getFirst(), root, root, rows.size(), place, run.place(), true).row());
        }
        return file(chosen.getFirst().tool(), rows);
    }

    private ResultFile file(String tool, List<FileRow> rows) {
        if (rows.isEmpty()) {
            throw ResultReader.refused("must be a result of " + known() + ", got an empty file");
        }
        if (rows.size() > MeasurementRequest.MOST_ROWS) {
            throw ResultReader.refused(
                    "must have at most " + MeasurementRequest.MOST_ROWS + " rows, got " + rows.size());
        }
        return new ResultFile(tool, rows);
    }

    private ResultFormat format(Document document) {
        Value root = new Value(document.root(), "");
        Predicate<String> holds = path -> path.startsWith("!")
                == ResultPath.of(path.replace("!", "")).find(root, 0).isEmpty();
        return format(
                (document.place().isEmpty() ? "" : "of " + document.place() + " ") + "must be a result",
                format -> format.detect().stream()
                        .anyMatch(paths -> paths.stream().allMatch(holds)));
    }

    private ResultFormat format(String fault, Predicate<ResultFormat> isFormat) {
        return formats.stream()
                .filter(isFormat)
                .findFirst()
                .orElseThrow(
                        () -> ResultReader.refused(fault + " of " + known() + ". Send values of other tools as rows"));
    }

    private String known() {
        return formats.stream().map(ResultFormat::tool).distinct().collect(Collectors.joining(", "));
    }

    private static List<FileRow> rows(ResultFormat format, Document document) {
        Value root = new Value(document.root(), "");
        String of = document.place();
        if (format.refuse() != null) {
            throw ResultReader.refused((of.isEmpty() ? "" : "of " + of + " ") + format.refuse());
        }
        if (format.runs() == null) {
            return List.of(new RunReader(format, root, root, 0, of.isEmpty() ? "the file" : of, of, false).row());
        }
        List<FileRow> rows = new ArrayList<>();
        for (Value run : ResultPath.of(format.runs() + "/*").find(root, 0)) {
            String place = "benchmark " + (rows.size() + 1) + (of.isEmpty() ? "" : " of " + of);
            rows.add(new RunReader(format, root, run, rows.size(), place, of, false).row());
        }
        if (rows.isEmpty()) {
            throw new InvalidRequestException("/" + format.runs(), "must contain at least one benchmark");
        }
        return List.copyOf(rows);
    }
}
