package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.request.KvTransferRequest;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedPairResponse;
import io.throughputoptimizer.api.result.PairKindsResponse;
import io.throughputoptimizer.api.result.PdRatioResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.SteadyPairResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.Section.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Pairs of prefill and decode instances of several sizes or kinds of device, or with a transfer between them, each in
/// the numbers that are best for it.
final class PairTables {
    private static final int RATE_DECIMALS = 4;

    private static final List<Column> FIGURES = List.of(
            new Column("P : D", row -> new Cell.Text(instances(row))),
            new Column("QPS/device (req/s)", row -> rate(kinds(row).qpsPerDevice())),
            new Column("QPS (req/s)", row -> Cell.figure(together(row).qps())),
            new Column(
                    PhaseTable.SUSTAINED_TITLE, row -> Cell.figure(together(row).sustainedQps())),
            new Column("TTFT (ms)", row -> Cell.figure(together(row).ttftMs())),
            new Column("KV transfer (ms)", row -> Cell.figure(kinds(row).kvTransferMs())),
            new Column("TPOT (ms)", row -> Cell.figure(row.tpot())),
            new Column("num_devices", row -> Cell.count(together(row).devicesUsed())));

    private static final List<Column> INSTANCES = List.of(
            new Column("P Devices/Instance", row -> new Cell.Count(row.prefillDevices())),
            new Column("D Devices/Instance", row -> new Cell.Count(row.decodeDevices())),
            new Column("P Parallel", row -> new Cell.Text(row.prefillParallel().label())),
            new Column("D Parallel", row -> new Cell.Text(row.decodeParallel().label())),
            new Column("P Batch Size", row -> Cell.count(row.prefillBatchSize())),
            new Column("D Batch Size", row -> Cell.count(row.decodeBatchSize())),
            new Column("P Sustained (req/s)", row -> Cell.figure(row.prefillSustainedQps())),
            new Column("D Sustained (req/s)", row -> Cell.figure(row.decodeSustainedQps())));

    /// Devices available for decode, where its kind has another number of its own.
    static final String OF_DECODE = "num_decode_devices";

    /// Columns of CSV beyond those of pairs of one size each.
    static final List<Column> RECORDED = List.of(
            new Column(
                    "device_p",
                    row -> text(row.kinds() == null ? null : row.kinds().prefillDevice())),
            new Column(
                    "device_d",
                    row -> text(row.kinds() == null ? null : row.kinds().decodeDevice())),
            new Column(
                    "devices_used",
                    row -> row.kinds() == null
                            ? Cell.MISSING
                            : Cell.count(together(row).devicesUsed())),
            new Column(
                    "qps",
                    row -> row.kinds() == null
                            ? Cell.MISSING
                            : rate(together(row).qps())),
            new Column(
                    "qps/device",
                    row -> row.kinds() == null ? Cell.MISSING : rate(row.kinds().qpsPerDevice())),
            new Column(
                    "ttft",
                    row -> row.kinds() == null
                            ? Cell.MISSING
                            : rate(together(row).ttftMs())),
            new Column(
                    "kv_transfer_ms",
                    row -> row.kinds() == null ? Cell.MISSING : rate(row.kinds().kvTransferMs())),
            new Column(
                    "kv_transfer_gb",
                    row -> row.kinds() == null ? Cell.MISSING : rate(row.kinds().kvTransferGb())),
            new Column(
                    "sustained_qps",
                    row -> row.kinds() == null
                            ? Cell.MISSING
                            : rate(together(row).sustainedQps())));

    private PairTables() {}

    record Column(String title, Function<PdRatioRowResponse, Cell> cell) {}

    /// What tells pairs of measured devices from those of one size each, beside their own figures.
    static final List<Column> OF_MEASURED = RECORDED.stream()
            .filter(column ->
                    column.title().startsWith("device_") || column.title().startsWith("kv_"))
            .toList();

    /// Whether these are such pairs.
    static boolean areFree(List<PdRatioRowResponse> rows) {
        return rows.stream().anyMatch(row -> row.kinds() != null);
    }

    static Table summary(PdRatioResponse result) {
        List<PdRatioRowResponse> rows = result.rows();
        Stream<Column> columns = Stream.of(
                        Stream.of(new Column("Top", row -> new Cell.Count(row.rank()))),
                        FIGURES.stream(),
                        INSTANCES.stream())
                .flatMap(part -> part);
        return Objectives.beside(table(columns, rows), 1, rows.stream().map(PdRatioRowResponse::objective));
    }

    static Table comparison(List<RankedPairResponse> ranked) {
        List<PdRatioRowResponse> rows =
                ranked.stream().map(RankedPairResponse::pair).toList();
        Table figures = table(
                Stream.concat(Stream.of(new Column("Top", row -> new Cell.Count(row.rank()))), FIGURES.stream()), rows);
        Table named = figures.with(
                1,
                "Device",
                ranked.stream().map(one -> (Cell) new Cell.Text(one.device())).toList());
        return Objectives.beside(named, 2, rows.stream().map(PdRatioRowResponse::objective));
    }

    static List<Fact> best(PdRatioRowResponse row) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Instances", instances(row) + " (P Instance:D Instance)"));
        facts.add(new Fact(
                "QPS per device", Decimals.fixed(requireNonNull(kinds(row).qpsPerDevice()), RATE_DECIMALS)));
        facts.add(new Fact(
                "QPS",
                Decimals.fixed(requireNonNull(together(row).qps()), 2) + " req/s on "
                        + together(row).devicesUsed() + " devices"));
        facts.add(new Fact("TTFT", ttft(row)));
        facts.add(new Fact(
                "Prefill",
                side(row.prefillInstances(), row.prefillDevices(), kinds(row).prefillDevice()) + ", Parallel: "
                        + row.prefillParallel().label() + ", Batch: " + row.prefillBatchSize()));
        facts.add(new Fact(
                "Decode",
                side(row.decodeInstances(), row.decodeDevices(), kinds(row).decodeDevice()) + ", Parallel: "
                        + row.decodeParallel().label() + ", Batch: " + row.decodeBatchSize() + ", TPOT: "
                        + Decimals.fixed(requireNonNull(row.tpot()), 2) + " ms"));
        Objectives.best(row.objective()).ifPresent(facts::add);
        return facts;
    }

    private static String side(@Nullable Integer instances, int devices, @Nullable String device) {
        return instances + " of " + devices + " " + device;
    }

    private static String ttft(PdRatioRowResponse row) {
        return Decimals.fixed(requireNonNull(together(row).ttftMs()), 2) + " ms" + transfer(row);
    }

    /// How much of the time to the first token the transfer takes.
    static String transfer(PdRatioRowResponse row) {
        PairKindsResponse kinds = row.kinds();
        return kinds == null ? "" : transfer(kinds.kvTransferMs(), kinds.kvTransferGb());
    }

    static String transfer(@Nullable Double millis, @Nullable Double gigabytes) {
        return millis == null || gigabytes == null
                ? ""
                : ", " + Decimals.fixed(millis, 2) + " ms of it for " + Decimals.fixed(gigabytes, 3)
                        + " GB of KV cache";
    }

    /// The transfer that was asked for.
    static Fact asked(KvTransferRequest transfer) {
        return new Fact("KV Transfer", transfer.gbPerS() + " GB/s, " + transfer.latencyMs() + " ms");
    }

    /// Without columns that nothing is said in.
    private static Table table(Stream<Column> columns, List<PdRatioRowResponse> rows) {
        List<Column> said = columns.filter(column ->
                        rows.stream().anyMatch(row -> !column.cell.apply(row).equals(Cell.MISSING)))
                .toList();
        return new Table(
                said.stream().map(Column::title).toList(),
                rows.stream()
                        .map(row -> said.stream()
                                .map(column -> column.cell.apply(row))
                                .toList())
                        .toList());
    }

    private static String instances(PdRatioRowResponse row) {
        return row.prefillInstances() + " : " + row.decodeInstances();
    }

    private static PairKindsResponse kinds(PdRatioRowResponse row) {
        return requireNonNull(row.kinds(), "a pair in numbers of instances has its kinds");
    }

    private static SteadyPairResponse together(PdRatioRowResponse row) {
        return requireNonNull(row.load(), "a pair in numbers of instances says what they deliver together");
    }

    private static Cell text(@Nullable String text) {
        return text == null ? Cell.MISSING : new Cell.Text(text);
    }

    static Cell rate(@Nullable Double figure) {
        return figure == null ? Cell.MISSING : new Cell.Figure(figure, RATE_DECIMALS);
    }
}
