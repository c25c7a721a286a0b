package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.PairKindsResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse.AvailableResponse;
import io.throughputoptimizer.api.result.SteadyPairResponse;
import io.throughputoptimizer.api.result.SteadyRowResponse;
import io.throughputoptimizer.api.result.figure.BestFitResponse;
import io.throughputoptimizer.api.result.figure.FigureBandsResponse;
import io.throughputoptimizer.api.result.figure.RequestLatencyResponse;
import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.Objectives;
import io.throughputoptimizer.report.table.PageColumn;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Columns of prefill instances that feed decode instances.
final class PairColumns {
    private static final int RATE_DECIMALS = 4;

    static final Column<PairLine> RANK =
            Column.<PairLine>count("rank", "Top", line -> line.row().rank()).onPage("Rank", "rank");
    static final Column<PairLine> DEVICE = Column.text("device", "Device", PairLine::device);
    static final Column<PairLine> NUM_DEVICES = Column.count("num_devices", Column.NONE, PairLine::numDevices);
    static final Column<PairLine> NUM_DECODE_DEVICES =
            Column.count("num_decode_devices", Column.NONE, PairLine::numDecodeDevices);

    // What each instance does by itself.
    static final Column<PairLine> RATIO =
            row("pd_ratio", "PD Ratio", PdRatioRowResponse::pdRatio).onPage("P : D", "pd_ratio");
    static final Column<PairLine> BALANCED_QPS = row(
                    "balanced_requests_per_s", "Balanced QPS (req/s)", PdRatioRowResponse::balancedRequestsPerS)
            .onPage("Balanced requests/s", "balanced_requests_per_s");
    static final Column<PairLine> PREFILL_QPS = row(
                    "prefill_requests_per_s", "P QPS (req/s)", PdRatioRowResponse::prefillRequestsPerS)
            .onPage("P requests/s", "prefill_requests_per_s");
    static final Column<PairLine> DECODE_QPS = row(
                    "decode_requests_per_s", "D QPS (req/s)", PdRatioRowResponse::decodeRequestsPerS)
            .onPage("D requests/s", "decode_requests_per_s");
    static final Column<PairLine> PREFILL_SUSTAINED = row(
                    "prefill_sustained_requests_per_s",
                    "P Sustained (req/s)",
                    PdRatioRowResponse::prefillSustainedRequestsPerS)
            .onPage("P sustained", "prefill_sustained_requests_per_s");
    static final Column<PairLine> DECODE_SUSTAINED = row(
                    "decode_sustained_requests_per_s",
                    "D Sustained (req/s)",
                    PdRatioRowResponse::decodeSustainedRequestsPerS)
            .onPage("D sustained", "decode_sustained_requests_per_s");
    static final Column<PairLine> PREFILL_TTFT = latency("ttft_ms", "TTFT (ms)", SteadyPairResponse::ttftMs);
    static final Column<PairLine> DECODE_TPOT = latency("tpot_ms", "TPOT (ms)", SteadyPairResponse::tpotMs);
    static final Column<PairLine> PREFILL_PARALLEL = Column.<PairLine>text(
                    "parallel_p",
                    "P Parallel",
                    line -> line.row().prefillParallel().label())
            .onPage("P layout", "parallel_p", PageColumn.Kind.LAYOUT);
    static final Column<PairLine> DECODE_PARALLEL = Column.<PairLine>text(
                    "parallel_d",
                    "D Parallel",
                    line -> line.row().decodeParallel().label())
            .onPage("D layout", "parallel_d", PageColumn.Kind.LAYOUT);
    static final Column<PairLine> PREFILL_DEVICES =
            count("num_devices_p", "P Devices/Instance", PdRatioRowResponse::prefillDevices);
    static final Column<PairLine> DECODE_DEVICES =
            count("num_devices_d", "D Devices/Instance", PdRatioRowResponse::decodeDevices);
    static final Column<PairLine> PREFILL_BATCH = count(
                    "batch_size_p", "P Batch Size", PdRatioRowResponse::prefillBatchSize)
            .onPage("P batch size", "batch_size_p");
    static final Column<PairLine> DECODE_BATCH = count(
                    "batch_size_d", "D Batch Size", PdRatioRowResponse::decodeBatchSize)
            .onPage("D batch size", "batch_size_d");
    static final Column<PairLine> PREFILL_CONCURRENCY =
            count("concurrency_p", "P Concurrency", PdRatioRowResponse::prefillConcurrency);
    static final Column<PairLine> DECODE_CONCURRENCY =
            count("concurrency_d", "D Concurrency", PdRatioRowResponse::decodeConcurrency);
    static final Column<PairLine> PREFILL_INSTANCES =
            count("prefill_instances", "P inst", PdRatioRowResponse::prefillInstances);
    static final Column<PairLine> DECODE_INSTANCES =
            count("decode_instances", "D inst", PdRatioRowResponse::decodeInstances);

    // What all instances deliver together.
    static final Column<PairLine> INSTANCES = Column.<PairLine>text(Column.NONE, "P : D", PairLine::instances)
            .onPage("Instances", "prefill_instances", PageColumn.Kind.INSTANCES);
    static final Column<PairLine> QPS_PER_DEVICE = Column.<PairLine>figure(
                    "requests_per_s_per_device",
                    "QPS/device (req/s)",
                    line -> line.kinds(PairKindsResponse::requestsPerSPerDevice))
            .decimals(RATE_DECIMALS, RATE_DECIMALS)
            .onPage("Requests/s per device", "requests_per_s_per_device");
    static final Column<PairLine> QPS = together("requests_per_s", "QPS (req/s)", SteadyPairResponse::requestsPerS)
            .within(PairColumns::bands, FigureBandsResponse::requestsPerSBand, FigureBandsResponse::requestsPerSRange)
            .onPage("Requests/s", "requests_per_s");
    static final Column<PairLine> SUSTAINED = together(
                    "sustained_requests_per_s", RowColumns.SUSTAINED.title(), SteadyPairResponse::sustainedRequestsPerS)
            .onPage("Sustained requests/s", "sustained_requests_per_s");
    static final Column<PairLine> TTFT = together("ttft_ms", "TTFT (ms)", SteadyPairResponse::ttftMs)
            .within(PairColumns::bands, FigureBandsResponse::ttftMsBand, FigureBandsResponse::ttftMsRange)
            .onPage("TTFT (ms)", "ttft_ms");
    static final Column<PairLine> TPOT = together("tpot_ms", "TPOT (ms)", SteadyPairResponse::tpotMs)
            .within(PairColumns::bands, FigureBandsResponse::tpotMsBand, FigureBandsResponse::tpotMsRange)
            .onPage("TPOT (ms)", "tpot_ms");
    static final Column<PairLine> E2E_LATENCY = together("e2e_latency_ms", "Request latency (ms)", load -> {
                RequestLatencyResponse latency = load.requestLatency();
                return latency == null ? null : latency.e2eLatencyMs();
            })
            .within(
                    line -> line.row().load() == null ? null : line.row().load().requestLatency(),
                    RequestLatencyResponse::e2eLatencyMsBand,
                    RequestLatencyResponse::e2eLatencyMsRange)
            .optional()
            .onPage("E2E latency (ms)", "e2e_latency_ms");
    static final Column<PairLine> THROUGHPUT = together(
                    "tokens_per_s", "Throughput (token/s)", SteadyPairResponse::tokensPerS)
            .within(PairColumns::bands, FigureBandsResponse::tokensPerSBand, FigureBandsResponse::tokensPerSRange)
            .onPage("Tokens/s", "tokens_per_s");
    static final Column<PairLine> THROUGHPUT_PER_DEVICE = together(
                    "tokens_per_s_per_device", "Throughput/device (token/s)", SteadyPairResponse::tokensPerSPerDevice)
            .within(
                    PairColumns::bands,
                    FigureBandsResponse::tokensPerSPerDeviceBand,
                    FigureBandsResponse::tokensPerSPerDeviceRange)
            .onPage("Per device", "tokens_per_s_per_device");
    static final Column<PairLine> DEVICES_USED = Column.<PairLine>count(
                    "devices_used", "num_devices", line -> line.together(SteadyPairResponse::devicesUsed))
            .onPage("Devices used", "devices_used");
    static final Column<PairLine> CONCURRENCY = Column.<PairLine>count(
                    "concurrency", "concurrency", line -> line.together(SteadyPairResponse::concurrency))
            .onPage("Concurrency", "concurrency");
    static final Column<PairLine> RUNNING = Column.figure("running", Column.NONE, line -> {
        SteadyRowResponse steady = line.row().steady();
        return steady == null ? null : steady.running();
    });
    static final Column<PairLine> FLAGS = Column.<PairLine>text("flags", "flags", line -> {
                FigureBandsResponse bands = bands(line);
                return bands == null || bands.flags() == null ? null : String.join(" ", bands.flags());
            })
            .onPage("Uncertainty", "flags", PageColumn.Kind.FLAGS);

    static final Column<PairLine> STEP = DraftColumns.step(line -> line.row().steady());
    static final Column<PairLine> ACCEPTED =
            DraftColumns.accepted(line -> line.row().decodeParallel().variant());

    // What the instances are of, and what passes between them.
    static final Column<PairLine> PREFILL_DEVICE = Column.<PairLine>text(
                    "device_p", Column.NONE, line -> line.kinds(PairKindsResponse::prefillDevice))
            .optional()
            .onPage("P devices", "device_p", PageColumn.Kind.DEVICES);
    static final Column<PairLine> DECODE_DEVICE = Column.<PairLine>text(
                    "device_d", Column.NONE, line -> line.kinds(PairKindsResponse::decodeDevice))
            .optional()
            .onPage("D devices", "device_d", PageColumn.Kind.DEVICES);
    static final Column<PairLine> TRANSFER_TIME = Column.<PairLine>figure(
                    "kv_transfer_ms", "KV transfer (ms)", line -> line.kinds(PairKindsResponse::kvTransferMs))
            .decimals(2, RATE_DECIMALS)
            .optional()
            .onPage("KV transfer (ms)", "kv_transfer_ms");
    static final Column<PairLine> TRANSFER_SIZE = Column.<PairLine>figure(
                    "kv_transfer_gb", Column.NONE, line -> line.kinds(PairKindsResponse::kvTransferGb))
            .decimals(RATE_DECIMALS, RATE_DECIMALS)
            .optional();

    /// Idle devices and the instance counts that serve most on the available devices.
    static final List<Column<PairLine>> ON_DEVICES = List.of(
            Column.<PairLine>count("devices_idle", "Idle", line -> {
                        AvailableResponse available = line.row().available();
                        return available == null ? null : available.devicesIdle();
                    })
                    .optional(),
            Column.<PairLine>text(
                            Column.NONE,
                            "Most P : D",
                            line -> line.most(most -> most.prefillInstances() + " : " + most.decodeInstances()))
                    .optional(),
            most("most_prefill_instances", BestFitResponse::prefillInstances),
            most("most_decode_instances", BestFitResponse::decodeInstances),
            most("most_devices_used", BestFitResponse::devicesUsed),
            Column.<PairLine>figure(
                            "most_requests_per_s", "Most QPS (req/s)", line -> line.most(BestFitResponse::requestsPerS))
                    .decimals(2, RATE_DECIMALS)
                    .optional(),
            Column.<PairLine>figure("most_tokens_per_s", Column.NONE, line -> line.most(BestFitResponse::tokensPerS))
                    .decimals(RATE_DECIMALS, RATE_DECIMALS)
                    .optional());

    /// Ranking objective of pairs, with its interval in the calibrated model.
    static final List<Column<PairLine>> OBJECTIVE =
            Objectives.recorded(line -> line.row().objective());

    static final List<Column<PairLine>> OBJECTIVE_ENDS =
            Objectives.recordedEnds(line -> line.row().objective());

    static final Column<PairLine> WARNINGS =
            WarningLines.column(line -> line.row().warnings());

    private PairColumns() {}

    private static @Nullable FigureBandsResponse bands(PairLine line) {
        return line.row().bands();
    }

    private static Column<PairLine> row(
            String name, String title, Function<PdRatioRowResponse, @Nullable Double> figure) {
        return Column.figure(name, title, line -> figure.apply(line.row()));
    }

    private static Column<PairLine> latency(
            String name, String title, Function<SteadyPairResponse, @Nullable Double> millis) {
        return Column.<PairLine>figure(name, title, line -> line.together(millis))
                .onPage(title, name);
    }

    private static Column<PairLine> count(
            String name, String title, Function<PdRatioRowResponse, @Nullable Number> count) {
        return Column.count(name, title, line -> count.apply(line.row()));
    }

    private static Column<PairLine> together(
            String name, String title, Function<SteadyPairResponse, @Nullable Double> figure) {
        return Column.<PairLine>figure(name, title, line -> line.together(figure))
                .decimals(2, RATE_DECIMALS);
    }

    private static Column<PairLine> most(String name, Function<BestFitResponse, @Nullable Number> count) {
        return Column.<PairLine>count(name, Column.NONE, line -> line.most(count))
                .optional();
    }
}
