package io.throughputoptimizer.api.benchmark;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.MeasurementRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/// A file that a benchmark tool wrote. Which tool it was shows in what the file has.
///
/// @param tool its name
public record ResultFile(String tool, List<FileRow> rows) {
    private static final int LONGEST_YAML = 1 << 20;

    private static final String TOOLS = String.join(
            ", ",
            ServeResult.VLLM,
            ServeResult.SGLANG,
            GuideLlmReport.TOOL,
            LlmdReport.TOOL,
            AiperfExport.TOOL + " or genai-perf");

    /// How a file is spelled.
    public enum Syntax {
        /// Documents that follow one another, on lines of their own or not.
        JSON,
        YAML,
        CSV
    }

    private record Format(
            Predicate<ResultDocument> recognizes,
            Function<ResultDocument, String> tool,
            Function<ResultDocument, List<FileRow>> rows) {}

    private static final List<Format> FORMATS = List.of(
            new Format(ServeResult::isOne, ServeResult::tool, document -> List.of(ServeResult.row(document))),
            new Format(GuideLlmReport::isOne, _ -> GuideLlmReport.TOOL, GuideLlmReport::rows),
            new Format(LlmdReport::isOne, _ -> LlmdReport.TOOL, document -> List.of(LlmdReport.row(document))),
            new Format(AiperfExport::isOne, _ -> AiperfExport.TOOL, document -> List.of(AiperfExport.row(document))));

    public ResultFile {
        rows = List.copyOf(rows);
    }

    /// @throws InvalidRequestException naming the line or member, if it is no such file, or says what cannot be
    public static ResultFile read(InputStream stream, Syntax syntax) throws IOException {
        ResultFile file = switch (syntax) {
            case JSON -> of(JsonDocuments.read(stream));
            case YAML ->
                of(JsonDocuments.read(new ByteArrayInputStream(
                        WireFormat.json(WireFormat.Syntax.YAML, checked(stream)).getBytes(StandardCharsets.UTF_8))));
            case CSV -> of(ResultTable.read(stream));
        };
        if (file.rows.size() > MeasurementRequest.MOST_ROWS) {
            throw refused("has " + file.rows.size() + " rows: at most " + MeasurementRequest.MOST_ROWS
                    + " are taken at once");
        }
        return file;
    }

    /// YAML is read whole, within the bounds of requests.
    private static byte[] checked(InputStream stream) throws IOException {
        byte[] document = stream.readNBytes(LONGEST_YAML + 1);
        if (document.length > LONGEST_YAML) {
            throw refused("is longer than " + LONGEST_YAML + " bytes: of YAML no more are read; JSON may be longer");
        }
        Object _ = WireFormat.read(WireFormat.Syntax.YAML, document, Object.class);
        return document;
    }

    private static ResultFile of(List<ResultDocument> documents) {
        String tool = "";
        List<FileRow> rows = new ArrayList<>();
        for (ResultDocument document : documents) {
            Format format = FORMATS.stream()
                    .filter(known -> known.recognizes.test(document))
                    .findFirst()
                    .orElseThrow(() -> document.refused("no result of " + TOOLS + ": what they measure is not in it"));
            String own = format.tool.apply(document);
            if (!tool.isEmpty() && !tool.equals(own)) {
                throw document.refused("of " + own + ", others of " + tool + ": one tool a file is needed");
            }
            tool = own;
            rows.addAll(format.rows.apply(document));
        }
        if (rows.isEmpty()) {
            throw refused("is empty: a result of " + TOOLS + " is needed");
        }
        return new ResultFile(tool, rows);
    }

    private static ResultFile of(ResultTable table) {
        if (AiperfTable.isOne(table)) {
            return new ResultFile(AiperfExport.TOOL, List.of(AiperfTable.row(table)));
        }
        if (GuideLlmTable.isOne(table)) {
            return new ResultFile(GuideLlmReport.TOOL, GuideLlmTable.rows(table));
        }
        throw refused("has neither the header of guidellm nor that of aiperf or genai-perf: values of other tools are"
                + " brought as rows");
    }

    private static InvalidRequestException refused(String fault) {
        return new InvalidRequestException(List.of(new Violation("", fault)));
    }
}
