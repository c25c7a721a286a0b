package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.BandResponse;
import io.throughputoptimizer.api.result.FigureBandsResponse;
import io.throughputoptimizer.api.result.LinearAttentionRule;
import io.throughputoptimizer.api.result.MemoryResponse;
import io.throughputoptimizer.api.result.ObjectiveResponse;
import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.VariantResponse;
import io.throughputoptimizer.report.Line.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Every shown row with all its columns (results, row columns), preceded by its place and phase and followed by
/// requests per second, memory in GB of 2^30 bytes, the accounting and requests per second sustained. The columns are
/// the same for every question, but
/// for the share of traffic that mixed batches leave out, which is one only where there is such a row, for the
/// outputs of unequal requests that decode, and for draft tokens, which are one only where several numbers of them are
/// tried.
final class RecordTable {
    /// Figures are rounded to as many decimals when they are recorded.
    private static final int DECIMALS = 3;

    private RecordTable() {}

    static Table of(Findings findings) {
        List<Line> lines = findings.devices().stream()
                .flatMap(device -> device.phases().stream().flatMap(phase -> lines(findings, device, phase)))
                .toList();
        return Line.table(columns(findings, lines), lines.stream());
    }

    private static Stream<Line> lines(Findings findings, DeviceResponse device, PhaseResponse phase) {
        Stream<RowResponse> rows = findings.request().dumpOriginalResults()
                ? findings.recorded(device, phase.phase())
                : phase.rows().stream();
        return rows.flatMap(row -> Line.of(device, phase.phase(), row));
    }

    private static List<Column> columns(Findings findings, List<Line> lines) {
        return Stream.of(
                        configuration(findings.request()),
                        composition(),
                        findings.request().isCalibrated() ? bandedLoad() : load(),
                        memory(),
                        accounting(findings.result().accounting()),
                        List.of(figure("sustained_qps", RowResponse::sustainedQps)),
                        where(
                                lines,
                                line -> line.row().leftOutRatio() != null,
                                new Column("left_out_ratio", Line::leftOutRatio)),
                        where(lines, Line::isOfDecoding, new Column("num_output_tokens", Line::outputTokens)),
                        where(lines, Line::isOfDecoding, new Column("context_tokens", Line::contextTokens)),
                        where(
                                lines,
                                line -> line.variant(VariantResponse::numMtpTokens) != null,
                                count("num_mtp_tokens", line -> line.variant(VariantResponse::numMtpTokens))),
                        where(
                                lines,
                                line -> line.variant(VariantResponse::nonExpertLinear) != null,
                                new Column(
                                        "quantize_non_expert_linear_action",
                                        line -> Cell.constant(null, line.variant(VariantResponse::nonExpertLinear)))),
                        where(
                                lines,
                                line -> line.row().parallel().dcp() != null,
                                count(
                                        "dcp",
                                        line -> requireNonNullElse(
                                                line.row().parallel().dcp(), 1))),
                        where(
                                lines,
                                line -> line.row().memory().kvCapacityMultiplier() != null,
                                count(
                                        "kv_capacity_multiplier",
                                        line -> requireNonNullElse(
                                                line.row().memory().kvCapacityMultiplier(), 1))),
                        where(
                                lines,
                                line -> line.row().linearAttention() != null,
                                text("linear_attention", RecordTable::linearAttention)),
                        where(
                                lines,
                                line -> line.row().memory().stateGb() != null,
                                new Column(
                                        "state_gb",
                                        line -> line.figure(row -> row.memory().stateGb(), DECIMALS))),
                        PhaseSummary.sharedExperts(findings.request()).isPresent()
                                ? List.of(text("shared_expert_tp", _ -> "true"))
                                : List.<Column>of(),
                        PercentileColumns.recorded(lines),
                        objective(lines),
                        findings.request().isCalibrated()
                                ? List.of(count("replicas", Line::replicas), new Column("flags", Line::flags))
                                : List.<Column>of(),
                        where(
                                lines,
                                line -> line.row().warnings() != null,
                                new Column(WarningLines.TITLE, Line::warnings)))
                .flatMap(List::stream)
                .toList();
    }

    /// What rows are ranked by, where that was asked for.
    private static List<Column> objective(List<Line> lines) {
        List<Column> columns = new ArrayList<>();
        if (lines.stream().anyMatch(line -> line.row().objective() != null)) {
            columns.addAll(columns(Objectives.RECORDED, Objectives::recorded));
        }
        if (lines.stream().anyMatch(line -> Objectives.isBanded(line.row().objective()))) {
            columns.addAll(columns(Objectives.RECORDED_ENDS, Objectives::recordedEnds));
        }
        return columns;
    }

    private static List<Column> columns(List<String> titles, Function<@Nullable ObjectiveResponse, List<Cell>> cells) {
        return IntStream.range(0, titles.size())
                .mapToObj(index -> new Column(
                        titles.get(index),
                        line -> cells.apply(line.row().objective()).get(index)))
                .toList();
    }

    private static List<Column> where(List<Line> lines, Predicate<Line> known, Column column) {
        return lines.stream().anyMatch(known) ? List.of(column) : List.of();
    }

    private static String linearAttention(Line line) {
        LinearAttentionRule rule = line.row().linearAttention();
        return rule == null ? "" : rule.wireName();
    }

    private static List<Column> configuration(OptimizationRequest request) {
        return List.of(
                new Column("rank", Line::rank),
                text("phase", line -> line.phase().wireName()),
                text("device_name", line -> line.device().device()),
                new Column("num_devices", Line::devices),
                text("model_id", _ -> request.modelName()),
                new Column(
                        "quantize_linear_action",
                        line -> Cell.constant(request.quantization().linear(), line.variant(VariantResponse::linear))),
                new Column(
                        "quantize_attention_action",
                        line -> Cell.constant(
                                request.quantization().attention(), line.variant(VariantResponse::attention))),
                count("input_length", _ -> request.workload().inputLength()),
                new Column("num_input_tokens", Line::inputTokens),
                count("output_length", _ -> request.workload().outputLength()),
                count("effective_input_length", line -> line.row().effectiveInputLength()),
                count("max_batched_tokens", line -> line.row().maxBatchedTokens()),
                count("prefill_num_chunks", line -> line.row().prefillNumChunks()));
    }

    private static List<Column> composition() {
        return List.of(new Column("request_ratio", Line::requestRatio), new Column("samples", Line::samples));
    }

    private static List<Column> load() {
        return List.of(
                new Column("concurrency", line -> new Cell.Count(line.row().concurrency())),
                figure("ttft", RowResponse::ttftMs),
                figure("tpot", RowResponse::tpotMs),
                figure("token/s", RowResponse::tokensPerS),
                figure("token/s/device", RowResponse::tokensPerSPerDevice),
                text("parallel", line -> line.row().parallel().label()),
                new Column("batch_size", line -> new Cell.Count(line.row().batchSize())),
                new Column(
                        "percentage_breakdowns",
                        line -> line.breakdown(line.row().breakdown())),
                new Column(
                        "percentage_breakdowns(p)",
                        line -> line.breakdown(line.row().prefillBreakdown())),
                new Column(
                        "percentage_breakdowns(d)",
                        line -> line.breakdown(line.row().decodeBreakdown())),
                figure("qps", RowResponse::qps));
    }

    /// Each figure that has a band is followed by its ends: of the band, or on an Ascend device of the range.
    private static List<Column> bandedLoad() {
        return load().stream().flatMap(RecordTable::withEnds).toList();
    }

    private static Stream<Column> withEnds(Column column) {
        return switch (column.title()) {
            case "ttft" -> withEnds(column, FigureBandsResponse::ttftMsBand, FigureBandsResponse::ttftMsRange);
            case "tpot" -> withEnds(column, FigureBandsResponse::tpotMsBand, FigureBandsResponse::tpotMsRange);
            case "token/s" ->
                withEnds(column, FigureBandsResponse::tokensPerSBand, FigureBandsResponse::tokensPerSRange);
            case "token/s/device" ->
                withEnds(
                        column,
                        FigureBandsResponse::tokensPerSPerDeviceBand,
                        FigureBandsResponse::tokensPerSPerDeviceRange);
            case "qps" -> withEnds(column, FigureBandsResponse::qpsBand, FigureBandsResponse::qpsRange);
            default -> Stream.of(column);
        };
    }

    private static Stream<Column> withEnds(
            Column column,
            Function<FigureBandsResponse, @Nullable BandResponse> band,
            Function<FigureBandsResponse, @Nullable BandResponse> range) {
        Function<RowResponse, @Nullable BandResponse> known = row -> {
            FigureBandsResponse bands = row.bands();
            return bands == null ? null : band.apply(bands) == null ? range.apply(bands) : band.apply(bands);
        };
        return Stream.of(
                column,
                figure(column.title() + "_low", row -> {
                    BandResponse ends = known.apply(row);
                    return ends == null ? null : ends.low();
                }),
                figure(column.title() + "_high", row -> {
                    BandResponse ends = known.apply(row);
                    return ends == null ? null : ends.high();
                }));
    }

    private static List<Column> memory() {
        return List.of(
                memory("total_GB", MemoryResponse::totalGb),
                memory("weight_GB", MemoryResponse::weightGb),
                memory("kv_cache_GB", MemoryResponse::kvCacheGb),
                memory("activation_GB", MemoryResponse::activationGb),
                memory("reserved_GB", MemoryResponse::reservedGb),
                memory("avail_GB", MemoryResponse::availableGb),
                new Column(
                        "memory_adjusted", line -> line.flag(line.row().memory().isAdjusted())),
                new Column("memory_exact", line -> line.flag(line.row().memory().isExact())));
    }

    private static Column memory(String title, Function<MemoryResponse, @Nullable Double> gb) {
        return figure(title, row -> gb.apply(row.memory()));
    }

    private static List<Column> accounting(String name) {
        return List.of(text("accounting", _ -> name));
    }

    private static Column text(String title, Function<Line, String> text) {
        return new Column(title, line -> new Cell.Text(text.apply(line)));
    }

    private static Column count(String title, Function<Line, @Nullable Integer> count) {
        return new Column(title, line -> Cell.count(count.apply(line)));
    }

    private static Column figure(String title, Function<RowResponse, @Nullable Double> figure) {
        return new Column(title, line -> line.figure(figure, DECIMALS));
    }
}
