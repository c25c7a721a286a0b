package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.ObjectiveResponse;
import io.throughputoptimizer.api.result.PhaseName;
import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.RowResponse.CompositionResponse;
import io.throughputoptimizer.report.Line.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The table of the best row per layout of one phase (results, text report: titles and columns by mode).
///
/// @param title with a place for the number of rows
record PhaseTable(String title, List<Column> columns) {
    /// Requests a second that the time of the passes suffices for.
    static final String SUSTAINED_TITLE = "Sustained (req/s)";

    private static final Column TOP = new Column("Top", Line::rank);
    private static final Column THROUGHPUT =
            new Column("Throughput (token/s)", line -> line.figure(RowResponse::tokensPerS, 2));
    private static final Column QPS = new Column("QPS (req/s)", line -> line.figure(RowResponse::qps, 2));
    private static final Column SUSTAINED =
            new Column(SUSTAINED_TITLE, line -> line.figure(RowResponse::sustainedQps, 2));
    private static final Column TTFT = new Column("TTFT (ms)", line -> line.figure(RowResponse::ttftMs, 2));
    private static final Column TPOT = new Column("TPOT (ms)", line -> line.figure(RowResponse::tpotMs, 2));
    private static final Column CONCURRENCY =
            new Column("concurrency", line -> new Cell.Count(line.row().concurrency()));
    private static final Column DEVICES = new Column("num_devices", Line::devices);
    private static final Column PARALLEL =
            new Column("parallel", line -> new Cell.Text(line.row().parallel().label()));
    private static final Column BATCH_SIZE =
            new Column("batch_size", line -> new Cell.Count(line.row().batchSize()));
    private static final Column INPUT_TOKENS = new Column("num_input_tokens", Line::inputTokens);
    private static final Column OUTPUT_TOKENS = new Column("num_output_tokens", Line::outputTokens);
    private static final Column CONTEXT_TOKENS = new Column("context_tokens", Line::contextTokens);
    private static final Column REQUEST_RATIO = new Column("request_ratio", Line::requestRatio);
    private static final Column SAMPLES = new Column("samples", Line::samples);

    private static final PhaseTable CALIBRATED = new PhaseTable(
            "Top %s Aggregation Configurations:",
            List.of(
                    TOP,
                    new Column(
                            "Throughput (token/s)",
                            line -> line.banded(
                                    bands -> BandedFigure.tokens(line.row().tokensPerS(), bands))),
                    SUSTAINED,
                    new Column(
                            "TTFT (ms)",
                            line -> line.banded(
                                    bands -> BandedFigure.ttft(line.row().ttftMs(), bands))),
                    new Column(
                            "TPOT (ms)",
                            line -> line.banded(
                                    bands -> BandedFigure.tpot(line.row().tpotMs(), bands))),
                    CONCURRENCY,
                    DEVICES,
                    PARALLEL,
                    new Column("replicas", line -> Cell.count(line.replicas())),
                    BATCH_SIZE,
                    new Column("flags", Line::flags)));

    static PhaseTable of(PhaseResponse result) {
        if (result.rows().getFirst().bands() != null) {
            return CALIBRATED;
        }
        List<CompositionResponse> parts = result.rows().getFirst().composition();
        if (parts == null) {
            return fixed(result.phase());
        }
        return parts.stream().anyMatch(part -> part.numOutputTokens() != null)
                ? decoding(result.phase())
                : mixed(result.phase());
    }

    String title(PhaseResponse result) {
        return title.formatted(result.rows().size());
    }

    Table table(DeviceResponse device, PhaseResponse result) {
        return Line.table(
                withObjective(
                        withPercentiles(result.rows()), result.rows().getFirst().objective()),
                result.rows().stream().flatMap(row -> Line.of(device, result.phase(), row)));
    }

    /// The percentiles that limits are on stand behind the means.
    private List<Column> withPercentiles(List<RowResponse> rows) {
        List<Column> all = new ArrayList<>(columns);
        all.addAll(columns.indexOf(CONCURRENCY), PercentileColumns.limited(rows));
        return all;
    }

    private static List<Column> withObjective(List<Column> columns, @Nullable ObjectiveResponse objective) {
        return Objectives.title(objective)
                .map(title -> Stream.of(
                                columns.subList(0, 1),
                                List.of(new Column(title, Line::objective)),
                                columns.subList(1, columns.size()))
                        .flatMap(List::stream)
                        .toList())
                .orElse(columns);
    }

    private static PhaseTable fixed(PhaseName phase) {
        return switch (phase) {
            case AGGREGATION ->
                new PhaseTable("Top %s Aggregation Configurations:", fixedLengths(THROUGHPUT, SUSTAINED, TTFT, TPOT));
            case PREFILL ->
                new PhaseTable(
                        "Top %s PD Disaggregated Prefill Configurations:",
                        fixedLengths(THROUGHPUT, QPS, SUSTAINED, TTFT));
            case DECODE ->
                new PhaseTable(
                        "Top %s PD Disaggregated Decode Configurations:",
                        fixedLengths(THROUGHPUT, QPS, SUSTAINED, TPOT));
        };
    }

    private static PhaseTable mixed(PhaseName phase) {
        return switch (phase) {
            case AGGREGATION -> new PhaseTable("Top %s Aggregation Configurations:", mixedLengths(TTFT, TPOT));
            case PREFILL -> new PhaseTable("Top %s Disaggregation (Prefill) Configurations:", mixedLengths(TTFT));
            case DECODE -> new PhaseTable("Top %s Disaggregation (Decode) Configurations:", mixedLengths(QPS, TPOT));
        };
    }

    /// Parts of requests that decode have an output and a context.
    private static PhaseTable decoding(PhaseName phase) {
        PhaseTable mixed = mixed(phase);
        List<Column> columns = new ArrayList<>(mixed.columns);
        columns.addAll(columns.indexOf(INPUT_TOKENS) + 1, List.of(OUTPUT_TOKENS, CONTEXT_TOKENS));
        return new PhaseTable(mixed.title, columns);
    }

    private static List<Column> fixedLengths(Column... figures) {
        return Stream.of(Stream.of(TOP), Stream.of(figures), Stream.of(CONCURRENCY, DEVICES, PARALLEL, BATCH_SIZE))
                .flatMap(columns -> columns)
                .toList();
    }

    private static List<Column> mixedLengths(Column... latencies) {
        return Stream.of(
                        Stream.of(TOP, DEVICES, INPUT_TOKENS, REQUEST_RATIO, SAMPLES, CONCURRENCY),
                        Stream.of(latencies),
                        Stream.of(THROUGHPUT, SUSTAINED, PARALLEL, BATCH_SIZE))
                .flatMap(columns -> columns)
                .toList();
    }
}
