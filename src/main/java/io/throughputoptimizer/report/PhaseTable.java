package io.throughputoptimizer.report;

import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.report.Findings.DeviceFindings;
import io.throughputoptimizer.report.Line.Column;
import java.util.List;
import java.util.stream.Stream;

/// The table of the best row per layout of one phase (results, text report: titles and columns by mode).
///
/// @param title with a place for the number of rows
record PhaseTable(String title, List<Column> columns) {
    private static final Column TOP = new Column("Top", Line::rank);
    private static final Column THROUGHPUT =
            new Column("Throughput (token/s)", line -> line.figure(figures -> figures.tokensPerSecond(), 2));
    private static final Column QPS = new Column("QPS (req/s)", line -> line.figure(figures -> figures.qps(), 2));
    private static final Column TTFT = new Column("TTFT (ms)", line -> line.figure(figures -> figures.ttftMillis(), 2));
    private static final Column TPOT = new Column("TPOT (ms)", line -> line.figure(figures -> figures.tpotMillis(), 2));
    private static final Column CONCURRENCY =
            new Column("concurrency", line -> new Cell.Count(line.row().concurrency()));
    private static final Column DEVICES =
            new Column("num_devices", line -> new Cell.Count(line.result().deviceCount()));
    private static final Column PARALLEL =
            new Column("parallel", line -> new Cell.Text(line.row().layout().label()));
    private static final Column BATCH_SIZE =
            new Column("batch_size", line -> new Cell.Count(line.row().batchSize()));
    private static final Column INPUT_TOKENS = new Column("num_input_tokens", Line::inputTokens);
    private static final Column REQUEST_RATIO = new Column("request_ratio", Line::requestRatio);
    private static final Column SAMPLES = new Column("samples", Line::samples);

    static PhaseTable of(PhaseResult result) {
        boolean mixed = !result.rows().getFirst().composition().isEmpty();
        return mixed ? mixed(result.phase()) : fixed(result.phase());
    }

    String title(PhaseResult result) {
        return title.formatted(result.rows().size());
    }

    Table table(DeviceFindings device, PhaseResult result) {
        return Line.table(columns, result.rows().stream().flatMap(row -> Line.of(device, result, row)));
    }

    private static PhaseTable fixed(Phase phase) {
        return switch (phase) {
            case AGGREGATION ->
                new PhaseTable("Top %d Aggregation Configurations:", fixedLengths(THROUGHPUT, TTFT, TPOT));
            case PREFILL ->
                new PhaseTable("Top %d PD Disaggregated Prefill Configurations:", fixedLengths(THROUGHPUT, QPS, TTFT));
            case DECODE ->
                new PhaseTable("Top %d PD Disaggregated Decode Configurations:", fixedLengths(THROUGHPUT, QPS, TPOT));
        };
    }

    private static PhaseTable mixed(Phase phase) {
        return switch (phase) {
            case AGGREGATION -> new PhaseTable("Top %d Aggregation Configurations:", mixedLengths(TTFT, TPOT));
            case PREFILL -> new PhaseTable("Top %d Disaggregation (Prefill) Configurations:", mixedLengths(TTFT));
            case DECODE -> new PhaseTable("Top %d Disaggregation (Decode) Configurations:", mixedLengths(TPOT));
        };
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
                        Stream.of(THROUGHPUT, PARALLEL, BATCH_SIZE))
                .flatMap(columns -> columns)
                .toList();
    }
}
