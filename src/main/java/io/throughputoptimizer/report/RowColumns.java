package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.result.DeliveredResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.figure.BreakdownResponse;
import io.throughputoptimizer.api.result.figure.FigureBandsResponse;
import io.throughputoptimizer.api.result.figure.LinearAttentionRule;
import io.throughputoptimizer.api.result.figure.MemoryResponse;
import io.throughputoptimizer.api.result.figure.PlainResponse;
import io.throughputoptimizer.api.result.figure.RequestLatencyResponse;
import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.Objectives;
import io.throughputoptimizer.report.table.PageColumn;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Columns of rows of a phase. A figure of [#FIGURES] stands in all their tables: those for people, that of devices
/// side by side, and CSV.
final class RowColumns {
    static final Column<DeliveredResponse> THROUGHPUT = Column.figure(
                    "tokens_per_s", "Throughput (token/s)", DeliveredResponse::tokensPerS)
            .within(DeliveredResponse::bands, FigureBandsResponse::tokensPerSBand, FigureBandsResponse::tokensPerSRange)
            .onPage("Tokens/s", "tokens_per_s");
    static final Column<DeliveredResponse> PER_DEVICE = Column.figure(
                    "tokens_per_s_per_device", Column.NONE, DeliveredResponse::tokensPerSPerDevice)
            .within(
                    DeliveredResponse::bands,
                    FigureBandsResponse::tokensPerSPerDeviceBand,
                    FigureBandsResponse::tokensPerSPerDeviceRange)
            .onPage("Per device", "tokens_per_s_per_device");
    static final Column<DeliveredResponse> QPS = Column.figure(
                    "requests_per_s", "QPS (req/s)", DeliveredResponse::requestsPerS)
            .within(
                    DeliveredResponse::bands,
                    FigureBandsResponse::requestsPerSBand,
                    FigureBandsResponse::requestsPerSRange)
            .onPage("Requests/s", "requests_per_s");
    /// Requests a second that the time of the passes suffices for.
    static final Column<DeliveredResponse> SUSTAINED = Column.figure(
                    "sustained_requests_per_s", "Sustained (req/s)", DeliveredResponse::sustainedRequestsPerS)
            .onPage("Sustained requests/s", "sustained_requests_per_s");
    static final Column<DeliveredResponse> TTFT = Column.figure("ttft_ms", "TTFT (ms)", DeliveredResponse::ttftMs)
            .within(DeliveredResponse::bands, FigureBandsResponse::ttftMsBand, FigureBandsResponse::ttftMsRange)
            .onPage("TTFT (ms)", "ttft_ms");
    static final Column<DeliveredResponse> TPOT = Column.figure("tpot_ms", "TPOT (ms)", DeliveredResponse::tpotMs)
            .within(DeliveredResponse::bands, FigureBandsResponse::tpotMsBand, FigureBandsResponse::tpotMsRange)
            .onPage("TPOT (ms)", "tpot_ms");

    /// Column of the end-to-end latency, if limited.
    static final Column<DeliveredResponse> E2E_LATENCY = Column.<DeliveredResponse>figure(
                    "e2e_latency_ms", "Request latency (ms)", row -> {
                        RequestLatencyResponse latency = row.requestLatency();
                        return latency == null ? null : latency.e2eLatencyMs();
                    })
            .within(
                    DeliveredResponse::requestLatency,
                    RequestLatencyResponse::e2eLatencyMsBand,
                    RequestLatencyResponse::e2eLatencyMsRange)
            .optional()
            .onPage("E2E latency (ms)", "e2e_latency_ms");

    /// Figures of a row, in reading order.
    static final List<Column<DeliveredResponse>> FIGURES =
            List.of(THROUGHPUT, PER_DEVICE, QPS, SUSTAINED, TTFT, TPOT, E2E_LATENCY);

    /// Figures of the model alone, where feedback corrects them.
    static final List<Column<DeliveredResponse>> PLAIN = List.of(
            plain("plain_tokens_per_s", "Plain (token/s)", PlainResponse::tokensPerS),
            plain("plain_ttft_ms", "Plain TTFT (ms)", PlainResponse::ttftMs),
            plain("plain_tpot_ms", "Plain TPOT (ms)", PlainResponse::tpotMs));

    static final Column<DeliveredResponse> CONCURRENCY = Column.count(
                    "concurrency", "concurrency", DeliveredResponse::concurrency)
            .onPage("Concurrency", "concurrency");
    static final Column<DeliveredResponse> PARALLEL = Column.<DeliveredResponse>text(
                    "parallel", "parallel", row -> row.parallel().label())
            .onPage("Layout", "parallel", PageColumn.Kind.LAYOUT);
    static final Column<DeliveredResponse> BATCH_SIZE = Column.count(
                    "batch_size", "batch_size", DeliveredResponse::batchSize)
            .onPage("Batch size", "batch_size");

    static final Column<Line> RANK =
            Column.count("rank", "Top", RowResponse::rank).of(Line::own).onPage("Rank", "rank");
    static final Column<Line> DEVICES = Column.count("num_devices", "num_devices", Line::devices);
    static final Column<Line> INPUT_TOKENS = Column.of("num_input_tokens", "num_input_tokens", Line::inputTokens);
    static final Column<Line> OUTPUT_TOKENS = Column.count("num_output_tokens", "num_output_tokens", Line::outputTokens)
            .where(Line::isOfDecoding);
    static final Column<Line> CONTEXT_TOKENS = Column.count("context_tokens", "context_tokens", Line::contextTokens)
            .where(Line::isOfDecoding);
    static final Column<Line> REQUEST_RATIO =
            Column.figure("request_ratio", "request_ratio", Line::requestRatio).decimals(3, 3);
    static final Column<Line> SAMPLES = Column.count("samples", "samples", Line::samples);
    static final Column<Line> REPLICAS =
            Column.count("replicas", "replicas", Line::replicas).onPage("Replicas", "replicas");
    static final Column<Line> FLAGS =
            Column.text("flags", "flags", Line::flags).onPage("Uncertainty", "flags", PageColumn.Kind.FLAGS);

    /// In CSV, in the order of the reference.
    private static final List<Column<Line>> LOAD = List.of(
            CONCURRENCY.of(Line::row),
            TTFT.of(Line::own),
            TPOT.of(Line::own),
            THROUGHPUT.of(Line::own),
            PER_DEVICE.of(Line::own),
            PARALLEL.of(Line::row),
            BATCH_SIZE.of(Line::row),
            breakdown("breakdown", RowResponse::breakdown),
            breakdown("prefill_breakdown", RowResponse::prefillBreakdown),
            breakdown("decode_breakdown", RowResponse::decodeBreakdown),
            QPS.of(Line::own));

    private static final List<Column<Line>> MEMORY = List.of(
            memory("total_gb", MemoryResponse::totalGb).of(Line::own),
            memory("weight_gb", MemoryResponse::weightGb).of(Line::own),
            memory("kv_cache_gb", MemoryResponse::kvCacheGb).of(Line::own),
            memory("activation_gb", MemoryResponse::activationGb).of(Line::own),
            memory("reserved_gb", MemoryResponse::reservedGb).of(Line::own),
            memory("available_gb", MemoryResponse::availableGb).of(Line::own),
            text("memory_adjusted", row -> Boolean.toString(row.memory().isAdjusted())),
            text("memory_exact", row -> Boolean.toString(row.memory().isExact())));

    /// Columns of mixed lengths, where the batch covers a part of the requests.
    private static final List<Column<Line>> OF_SOME_BATCHES = List.of(
            Column.figure("omitted_ratio", Column.NONE, RowResponse::omittedRatio)
                    .decimals(6, 6)
                    .optional()
                    .of(Line::own),
            OUTPUT_TOKENS,
            CONTEXT_TOKENS);

    private static final List<Column<Line>> OF_SOME_MODELS = List.of(
            count("dcp", row -> requireNonNullElse(row.parallel().dcp(), 1))
                    .where(line -> line.row().parallel().dcp() != null),
            count(
                            "kv_capacity_multiplier",
                            row -> requireNonNullElse(row.memory().kvCapacityMultiplier(), 1))
                    .where(line -> line.row().memory().kvCapacityMultiplier() != null),
            Column.text("linear_attention", Column.NONE, RowColumns::linearAttention)
                    .where(line -> line.row().linearAttention() != null),
            memory("state_gb", MemoryResponse::stateGb).optional().of(Line::own));

    private RowColumns() {}

    /// Columns of CSV: all that there are, but for those of what no line has.
    static List<Column<Line>> recorded(Findings findings, List<Line> lines) {
        AskedColumns asked = new AskedColumns(findings);
        return Stream.of(
                        configuration(asked),
                        LOAD,
                        MEMORY,
                        List.of(asked.<Line>accounting()),
                        added(),
                        PLAIN.stream().map(column -> column.<Line>of(Line::own)).toList(),
                        OF_SOME_BATCHES,
                        ConversationColumns.recorded(),
                        asked.<Line>choices(line -> line.row().parallel().variant()),
                        OF_SOME_MODELS,
                        DraftColumns.recorded(Line::ownSteady),
                        asked.<Line>sharedExperts(),
                        asked.<Line>fusedReductions(),
                        PercentileColumns.recorded(lines.stream().map(Line::row).toList()),
                        objective(),
                        findings.request().isCalibrated() ? List.of(REPLICAS, FLAGS) : List.<Column<Line>>of(),
                        List.of(WarningLines.column(RowResponse::warnings).<Line>of(Line::own)))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Column<Line>> configuration(AskedColumns asked) {
        return List.of(
                RANK,
                Column.text("phase", Column.NONE, line -> line.phase().wireName()),
                Column.text("device", Column.NONE, line -> line.device().device()),
                DEVICES,
                asked.model(),
                asked.linear(line -> line.row().parallel().variant()),
                asked.attention(line -> line.row().parallel().variant()),
                asked.inputLength(),
                INPUT_TOKENS,
                asked.outputLength(),
                count("effective_input_length", RowResponse::effectiveInputLength),
                count("max_batched_tokens", RowResponse::maxBatchedTokens),
                count("prefill_num_chunks", RowResponse::prefillNumChunks),
                REQUEST_RATIO,
                SAMPLES);
    }

    /// Figures that the reference does not have stand behind those that it has.
    private static List<Column<Line>> added() {
        Set<String> known = LOAD.stream().map(Column::name).collect(Collectors.toUnmodifiableSet());
        return FIGURES.stream()
                .filter(column -> !known.contains(column.name()))
                .map(column -> column.<Line>of(Line::own))
                .toList();
    }

    /// Returns the column of the ranking objective, if requested.
    private static List<Column<Line>> objective() {
        return Stream.concat(
                        Objectives.<Line>recorded(line -> line.row().objective()).stream()
                                .map(column -> column.where(line -> line.row().objective() != null)),
                        Objectives.<Line>recordedEnds(line -> line.row().objective()).stream()
                                .map(column -> column.where(
                                        line -> Objectives.isBanded(line.row().objective()))))
                .toList();
    }

    private static String linearAttention(Line line) {
        LinearAttentionRule rule = line.row().linearAttention();
        return rule == null ? "" : rule.wireName();
    }

    private static Column<Line> breakdown(String name, Function<RowResponse, @Nullable BreakdownResponse> percent) {
        return text(name, row -> Breakdowns.words(percent.apply(row)));
    }

    private static Column<DeliveredResponse> plain(String name, String title, Function<PlainResponse, Double> figure) {
        return Column.<DeliveredResponse>figure(name, title, row -> {
                    FigureBandsResponse bands = row.bands();
                    return bands == null || bands.plain() == null ? null : figure.apply(bands.plain());
                })
                .optional();
    }

    static Column<RowResponse> memory(String name, Function<MemoryResponse, @Nullable Double> gb) {
        return Column.figure(name, Column.NONE, row -> gb.apply(row.memory()));
    }

    /// Returns a column of the row's own line; detail lines leave it empty.
    private static Column<Line> text(String name, Function<RowResponse, @Nullable String> text) {
        return Column.text(name, Column.NONE, text).of(Line::own);
    }

    /// Returns a column of detail lines.
    private static Column<Line> count(String name, Function<RowResponse, @Nullable Number> count) {
        return Column.count(name, Column.NONE, count).of(Line::row);
    }
}
