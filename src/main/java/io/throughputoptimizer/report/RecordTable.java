package io.throughputoptimizer.report;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.ResultRow.Breakdowns;
import io.throughputoptimizer.core.search.ResultRow.Figures;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.report.Findings.DeviceFindings;
import io.throughputoptimizer.report.Findings.Question;
import io.throughputoptimizer.report.Line.Column;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Every shown row with all its columns (results, row columns), preceded by its place and phase and followed by
/// requests per second, memory in GB of 2^30 bytes and the accounting. The columns are the same for every question;
/// the share of traffic that mixed batches leave out is one only where there is such a row.
final class RecordTable {
    /// Figures are rounded to as many decimals when they are recorded.
    private static final int DECIMALS = 3;

    private RecordTable() {}

    static Table of(Findings findings) {
        List<Line> lines = findings.devices().stream()
                .flatMap(device -> lines(findings, device))
                .toList();
        boolean leavesOut = lines.stream().anyMatch(line -> line.row().leftOutRatio() > 0);
        return Line.table(columns(findings.question(), leavesOut), lines.stream());
    }

    private static Stream<Line> lines(Findings findings, DeviceFindings device) {
        boolean recorded = findings.question().recordedRows();
        return device.phases().stream().flatMap(phase -> rows(device, phase, recorded));
    }

    private static Stream<Line> rows(DeviceFindings device, PhaseResult phase, boolean recorded) {
        return (recorded ? phase.recorded() : phase.rows()).stream().flatMap(row -> Line.of(device, phase, row));
    }

    private static List<Column> columns(Question question, boolean leavesOut) {
        List<Column> leftOut = leavesOut ? List.of(new Column("left_out_ratio", Line::leftOutRatio)) : List.of();
        return Stream.of(configuration(question), composition(), load(), memory(), accounting(question), leftOut)
                .flatMap(List::stream)
                .toList();
    }

    private static List<Column> configuration(Question question) {
        return List.of(
                new Column("rank", Line::rank),
                text("phase", line -> PhaseSummary.name(line.result().phase())),
                text("device_name", line -> line.device().device()),
                count("num_devices", line -> line.result().deviceCount()),
                text("model_id", _ -> question.modelId()),
                text(
                        "quantize_linear_action",
                        _ -> question.quantization().linear().name()),
                text(
                        "quantize_attention_action",
                        _ -> question.quantization().attention().name()),
                count("input_length", _ -> question.lengths().inputTokens()),
                new Column("num_input_tokens", Line::inputTokens),
                count("output_length", _ -> question.lengths().outputTokens()),
                count("effective_input_length", line -> line.row().prefill().effectiveInputLength()),
                count("max_batched_tokens", line -> line.row().prefill().maxBatchedTokens()),
                count("prefill_num_chunks", line -> line.row().prefill().chunks()));
    }

    private static List<Column> composition() {
        return List.of(new Column("request_ratio", Line::requestRatio), new Column("samples", Line::samples));
    }

    private static List<Column> load() {
        return List.of(
                new Column("concurrency", line -> new Cell.Count(line.row().concurrency())),
                figure("ttft", Figures::ttftMillis),
                figure("tpot", Figures::tpotMillis),
                figure("token/s", Figures::tokensPerSecond),
                figure("token/s/device", Figures::tokensPerSecondPerDevice),
                text("parallel", line -> line.row().layout().label()),
                new Column("batch_size", line -> new Cell.Count(line.row().batchSize())),
                new Column("percentage_breakdowns", RecordTable::ofItsOnlyPhase),
                new Column("percentage_breakdowns(p)", line -> ofAggregation(line, Breakdowns::prefill)),
                new Column("percentage_breakdowns(d)", line -> ofAggregation(line, Breakdowns::decode)),
                figure("qps", Figures::qps));
    }

    private static List<Column> memory() {
        return List.of(
                new Column("total_GB", line -> line.memory(MemoryFootprint::capacityBytes)),
                new Column("weight_GB", line -> line.memory(MemoryFootprint::weightBytes)),
                new Column("kv_cache_GB", line -> line.memory(MemoryFootprint::kvCacheBytes)),
                new Column("activation_GB", line -> line.memory(MemoryFootprint::activationBytes)),
                new Column("reserved_GB", line -> line.memory(MemoryFootprint::reservedBytes)),
                new Column("avail_GB", line -> line.memory(MemoryFootprint::availableBytes)),
                new Column("memory_adjusted", line -> line.flag(MemoryFootprint::adjusted)),
                new Column("memory_exact", line -> line.flag(MemoryFootprint::exact)));
    }

    private static List<Column> accounting(Question question) {
        return List.of(text("accounting", _ -> question.accounting().name()));
    }

    private static Cell ofItsOnlyPhase(Line line) {
        return switch (line.result().phase()) {
            case PREFILL -> line.breakdown(line.row().breakdowns().prefill());
            case DECODE -> line.breakdown(line.row().breakdowns().decode());
            case AGGREGATION -> Cell.MISSING;
        };
    }

    private static Cell ofAggregation(Line line, Function<Breakdowns, @Nullable BoundShares> phase) {
        return line.result().phase() == Phase.AGGREGATION
                ? line.breakdown(phase.apply(line.row().breakdowns()))
                : Cell.MISSING;
    }

    private static Column text(String title, Function<Line, String> text) {
        return new Column(title, line -> new Cell.Text(text.apply(line)));
    }

    private static Column count(String title, Function<Line, @Nullable Integer> count) {
        return new Column(title, line -> Cell.count(count.apply(line)));
    }

    private static Column figure(String title, Function<Figures, @Nullable Double> figure) {
        return new Column(title, line -> line.figure(figure, DECIMALS));
    }
}
