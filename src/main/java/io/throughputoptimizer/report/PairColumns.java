package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.AvailableResponse;
import io.throughputoptimizer.api.result.FigureBandsResponse;
import io.throughputoptimizer.api.result.MostInstancesResponse;
import io.throughputoptimizer.api.result.PairKindsResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.SteadyPairResponse;
import io.throughputoptimizer.api.result.SteadyRowResponse;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Columns of prefill instances that feed decode instances.
final class PairColumns {
    private static final int RATE_DECIMALS = 4;

    static final Column<PairLine> RANK =
            Column.count("rank", "Top", line -> line.row().rank());
    static final Column<PairLine> DEVICE = Column.text("device_name", "Device", PairLine::device);
    static final Column<PairLine> NUM_DEVICES = Column.count("num_devices", Column.NONE, PairLine::numDevices);
    static final Column<PairLine> NUM_DECODE_DEVICES =
            Column.count("num_decode_devices", Column.NONE, PairLine::numDecodeDevices);

    // What each instance does by itself.
    static final Column<PairLine> RATIO = row("pd_ratio", "PD Ratio", PdRatioRowResponse::pdRatio);
    static final Column<PairLine> BALANCED_QPS =
            row("balanced_qps", "Balanced QPS (req/s)", PdRatioRowResponse::balancedQps);
    static final Column<PairLine> PREFILL_QPS = row("p_qps", "P QPS (req/s)", PdRatioRowResponse::prefillQps);
    static final Column<PairLine> DECODE_QPS = row("d_qps", "D QPS (req/s)", PdRatioRowResponse::decodeQps);
    static final Column<PairLine> PREFILL_SUSTAINED =
            row("p_sustained_qps", "P Sustained (req/s)", PdRatioRowResponse::prefillSustainedQps);
    static final Column<PairLine> DECODE_SUSTAINED =
            row("d_sustained_qps", "D Sustained (req/s)", PdRatioRowResponse::decodeSustainedQps);
    static final Column<PairLine> PREFILL_TTFT = row("ttft_p", "TTFT (ms)", PdRatioRowResponse::ttft);
    static final Column<PairLine> DECODE_TPOT = row("tpot_d", "TPOT (ms)", PdRatioRowResponse::tpot);
    static final Column<PairLine> PREFILL_PARALLEL = Column.text(
            "parallel_p", "P Parallel", line -> line.row().prefillParallel().label());
    static final Column<PairLine> DECODE_PARALLEL = Column.text(
            "parallel_d", "D Parallel", line -> line.row().decodeParallel().label());
    static final Column<PairLine> PREFILL_DEVICES =
            count("num_devices_p", "P Devices/Instance", PdRatioRowResponse::prefillDevices);
    static final Column<PairLine> DECODE_DEVICES =
            count("num_devices_d", "D Devices/Instance", PdRatioRowResponse::decodeDevices);
    static final Column<PairLine> PREFILL_BATCH =
            count("batch_size_p", "P Batch Size", PdRatioRowResponse::prefillBatchSize);
    static final Column<PairLine> DECODE_BATCH =
            count("batch_size_d", "D Batch Size", PdRatioRowResponse::decodeBatchSize);
    static final Column<PairLine> PREFILL_CONCURRENCY =
            count("concurrency_p", "P Concurrency", PdRatioRowResponse::prefillConcurrency);
    static final Column<PairLine> DECODE_CONCURRENCY =
            count("concurrency_d", "D Concurrency", PdRatioRowResponse::decodeConcurrency);
    static final Column<PairLine> PREFILL_INSTANCES =
            count("prefill_instances", "P inst", PdRatioRowResponse::prefillInstances);
    static final Column<PairLine> DECODE_INSTANCES =
            count("decode_instances", "D inst", PdRatioRowResponse::decodeInstances);

    // What all instances deliver together.
    static final Column<PairLine> INSTANCES = Column.text(Column.NONE, "P : D", PairLine::instances);
    static final Column<PairLine> QPS_PER_DEVICE = Column.<PairLine>figure(
                    "qps/device", "QPS/device (req/s)", line -> line.kinds(PairKindsResponse::qpsPerDevice))
            .decimals(RATE_DECIMALS, RATE_DECIMALS);
    static final Column<PairLine> QPS = together("qps", "QPS (req/s)", SteadyPairResponse::qps)
            .within(PairColumns::bands, FigureBandsResponse::qpsBand, FigureBandsResponse::qpsRange);
    static final Column<PairLine> SUSTAINED =
            together("sustained_qps", RowColumns.SUSTAINED.title(), SteadyPairResponse::sustainedQps);
    static final Column<PairLine> TTFT = together("ttft", "TTFT (ms)", SteadyPairResponse::ttftMs)
            .within(PairColumns::bands, FigureBandsResponse::ttftMsBand, FigureBandsResponse::ttftMsRange);
    static final Column<PairLine> TPOT = together("tpot", "TPOT (ms)", SteadyPairResponse::tpotMs)
            .within(PairColumns::bands, FigureBandsResponse::tpotMsBand, FigureBandsResponse::tpotMsRange);
    static final Column<PairLine> THROUGHPUT = together(
                    "token/s", "Throughput (token/s)", SteadyPairResponse::tokensPerS)
            .within(PairColumns::bands, FigureBandsResponse::tokensPerSBand, FigureBandsResponse::tokensPerSRange);
    static final Column<PairLine> THROUGHPUT_PER_DEVICE = together(
                    "token/s/device", "Throughput/device (token/s)", SteadyPairResponse::tokensPerSPerDevice)
            .within(
                    PairColumns::bands,
                    FigureBandsResponse::tokensPerSPerDeviceBand,
                    FigureBandsResponse::tokensPerSPerDeviceRange);
    static final Column<PairLine> DEVICES_USED =
            Column.count("devices_used", "num_devices", line -> line.together(SteadyPairResponse::devicesUsed));
    static final Column<PairLine> CONCURRENCY =
            Column.count("concurrency", "concurrency", line -> line.together(SteadyPairResponse::concurrency));
    static final Column<PairLine> RUNNING = Column.figure("running", Column.NONE, line -> {
        SteadyRowResponse steady = line.row().steady();
        return steady == null ? null : steady.running();
    });
    static final Column<PairLine> FLAGS = Column.text("flags", "flags", line -> {
        FigureBandsResponse bands = bands(line);
        return bands == null || bands.flags() == null ? null : String.join(" ", bands.flags());
    });

    // What the instances are of, and what passes between them.
    static final Column<PairLine> PREFILL_DEVICE = Column.<PairLine>text(
                    "device_p", Column.NONE, line -> line.kinds(PairKindsResponse::prefillDevice))
            .optional();
    static final Column<PairLine> DECODE_DEVICE = Column.<PairLine>text(
                    "device_d", Column.NONE, line -> line.kinds(PairKindsResponse::decodeDevice))
            .optional();
    static final Column<PairLine> TRANSFER_TIME = Column.<PairLine>figure(
                    "kv_transfer_ms", "KV transfer (ms)", line -> line.kinds(PairKindsResponse::kvTransferMs))
            .decimals(2, RATE_DECIMALS)
            .optional();
    static final Column<PairLine> TRANSFER_SIZE = Column.<PairLine>figure(
                    "kv_transfer_gb", Column.NONE, line -> line.kinds(PairKindsResponse::kvTransferGb))
            .decimals(RATE_DECIMALS, RATE_DECIMALS)
            .optional();

    /// What the devices available make of pairs: what stands idle, and the numbers that serve most.
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
            most("most_prefill_instances", MostInstancesResponse::prefillInstances),
            most("most_decode_instances", MostInstancesResponse::decodeInstances),
            most("most_devices_used", MostInstancesResponse::devicesUsed),
            Column.<PairLine>figure("most_qps", "Most QPS (req/s)", line -> line.most(MostInstancesResponse::qps))
                    .decimals(2, RATE_DECIMALS)
                    .optional(),
            Column.<PairLine>figure("most_token/s", Column.NONE, line -> line.most(MostInstancesResponse::tokensPerS))
                    .decimals(RATE_DECIMALS, RATE_DECIMALS)
                    .optional());

    /// What pairs are ranked by, and where that may lie on measured devices.
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

    private static Column<PairLine> count(
            String name, String title, Function<PdRatioRowResponse, @Nullable Number> count) {
        return Column.count(name, title, line -> count.apply(line.row()));
    }

    private static Column<PairLine> together(
            String name, String title, Function<SteadyPairResponse, @Nullable Double> figure) {
        return Column.<PairLine>figure(name, title, line -> line.together(figure))
                .decimals(2, RATE_DECIMALS);
    }

    private static Column<PairLine> most(String name, Function<MostInstancesResponse, @Nullable Number> count) {
        return Column.<PairLine>count(name, Column.NONE, line -> line.most(count))
                .optional();
    }
}
